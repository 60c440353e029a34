import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { AgentSession } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { bounds } from "@/features/conversations/lib/period";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import type { SessionsSearch } from "../lib/search";

export const TOPIC = "sessions";

interface Narrowing extends SessionsSearch {
  entity_id?: string;
  parent_session_id?: string;
}

/** Sessions, newest first. */
export function useSessions({ q, status, waits_for, agent, type, source, golden, entity_id, parent_session_id, ...period }: Narrowing) {
  const { slug, api } = useTenant();
  const { start, end } = bounds(period, new Date());
  const filter = {
    ...(q ? { q } : {}),
    ...(status ? { status } : {}),
    ...(waits_for ? { waits_for } : {}),
    ...(agent ? { agent } : {}),
    ...(type ? { type } : {}),
    ...(source ? { source } : {}),
    ...(golden === undefined ? {} : { golden }),
    ...(entity_id ? { entity_id } : {}),
    ...(parent_session_id ? { parent_session_id } : {}),
    ...(start ? { since: start } : {}),
    ...(end ? { until: end } : {}),
  };
  return usePagedList<AgentSession>([TOPIC, slug, "list", filter], (query) =>
    unwrap(api.GET("/api/sessions", { params: { query: { ...query, ...filter } } })),
  );
}

export function sessionKey(slug: string, id: string) {
  return [TOPIC, slug, "one", { about: id }];
}

export function useAgentSession(id: string | null) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: sessionKey(slug, id ?? ""),
    queryFn: (): Promise<AgentSession> =>
      unwrap(api.GET("/api/sessions/{session_id}", { params: { path: { session_id: id ?? "" } } })),
    enabled: id !== null,
  });
}

export function useSessionActions(id: string) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = [TOPIC, slug];
  const params = { path: { session_id: id } };
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: [TOPIC, slug] });
  const cancel = useMutation({ mutationKey, mutationFn: () => unwrap(api.POST("/api/sessions/{session_id}/cancel", { params })), onSuccess });
  const dismiss = useMutation({ mutationKey, mutationFn: () => unwrap(api.POST("/api/sessions/{session_id}/dismiss", { params })), onSuccess });
  const runAgain = useMutation({ mutationKey, mutationFn: () => unwrap(api.POST("/api/sessions/{session_id}/run-again", { params, body: {} })), onSuccess });
  const answer = useMutation({
    mutationKey,
    mutationFn: (text: string) => unwrap(api.POST("/api/sessions/{session_id}/answer", { params, body: { text } })),
    onSuccess,
  });
  return { cancel, dismiss, runAgain, answer };
}
