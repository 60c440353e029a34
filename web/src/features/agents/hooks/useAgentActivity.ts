import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { ListedAgent, ResponseStatus } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** All agents by slug, with what they run with and their newest session. */
export function useAgentsOverview() {
  const { slug, api } = useTenant();
  return usePagedList<ListedAgent>(["agents_overview", slug], (query) =>
    unwrap(api.GET("/api/agents/overview", { params: { query } })),
  );
}

const LAST = 20; // sessions: what one looks at on a page of its own; all of them are a list

/** The newest sessions of an agent. */
export function useLastSessions(agentId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["sessions", slug, "of_agent", agentId],
    queryFn: () => unwrap(api.GET("/api/sessions", { params: { query: { agent: agentId, limit: LAST } } })),
  });
}

/** Starts a run. The answer is its session. */
export function useStartRun() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["sessions", slug],
    mutationFn: ({ agent, message }: { agent: string; message: string }) =>
      unwrap(api.POST("/api/sessions", { body: { agent, input: { message } } })), // without a source: it runs here
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ["sessions", slug] }),
  });
}

/** What became of an agent's responses: those that wait for review, or those of a status. */
export type Became = "waiting" | Exclude<ResponseStatus, "submitted">;

function wantedOf(agentId: string, became: Became) {
  return { submitted_by: agentId, ...(became === "waiting" ? { promotable: true } : { status: became }) };
}

/** Hangs on what changes under `entities`, as all responses do. */
export function useResponseCount(agentId: string, became: Became) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "count_of_agent", agentId, became],
    queryFn: () => unwrap(api.GET("/api/responses/count", { params: { query: wantedOf(agentId, became) } })),
  });
}

const FEW = 5; // newest of a kind: enough to see what it is about

export function useNewestResponses(agentId: string, became: Became) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "newest_of_agent", agentId, became],
    queryFn: () =>
      unwrap(api.GET("/api/responses", { params: { query: { ...wantedOf(agentId, became), limit: FEW } } })),
  });
}
