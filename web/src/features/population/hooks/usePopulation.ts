import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { AgentSession, NewPopulationOfMany } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import type { Material } from "../lib/population";

const FEW = 10; // newest sessions of a record, among which the last that filled it in is looked for

/** The last session that filled in a record; null where there was none lately. */
export function useLastPopulation(entityId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["sessions", slug, "population_of", entityId],
    queryFn: async (): Promise<AgentSession | null> => {
      const query = { entity_id: entityId, limit: FEW };
      const { data } = await unwrap(api.GET("/api/sessions", { params: { query } }));
      return data.find(({ purpose }) => purpose === "populate") ?? null;
    },
  });
}

export function usePopulationSession(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["sessions", slug, "population", { about: id }],
    queryFn: () => unwrap(api.GET("/api/sessions/{session_id}", { params: { path: { session_id: id } } })),
  });
}

const LAST_EVENTS = 10; // among which what was submitted stands, before the end

/** The response that a completed session submitted; null where it found nothing. */
export function useSubmitted({ id, status, events }: Pick<AgentSession, "id" | "status" | "events">) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["sessions", slug, "submitted", { about: id }, events],
    queryFn: async (): Promise<string | null> => {
      const params = { path: { session_id: id }, query: { after: Math.max(0, events - LAST_EVENTS) } };
      const { data } = await unwrap(api.GET("/api/sessions/{session_id}/events", { params }));
      const submitted = data.findLast(({ type }) => type === "response.submitted");
      const responseId = submitted?.payload["response_id"];
      return typeof responseId === "string" ? responseId : null;
    },
    enabled: status === "completed",
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function usePopulationActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = ["sessions", slug];
  const refresh = () => queryClient.invalidateQueries({ queryKey: mutationKey });
  const populate = useMutation({
    mutationKey,
    mutationFn: ({ entityId, ...body }: Material & { entityId: string }) =>
      unwrap(api.POST("/api/entities/{entity_id}/populate", { params: { path: { entity_id: entityId } }, body })),
    onSuccess: (session, { entityId }) => {
      queryClient.setQueryData(["sessions", slug, "population_of", entityId], session);
      return refresh();
    },
  });
  const populateMany = useMutation({
    mutationKey,
    mutationFn: (body: NewPopulationOfMany) => unwrap(api.POST("/api/populate", { body })),
    onSuccess: refresh,
  });
  const cancel = useMutation({
    mutationKey,
    mutationFn: (id: string) =>
      unwrap(api.POST("/api/sessions/{session_id}/cancel", { params: { path: { session_id: id } } })),
    onSettled: refresh,
  });
  const dismiss = useMutation({
    mutationKey,
    mutationFn: (id: string) =>
      unwrap(api.POST("/api/sessions/{session_id}/dismiss", { params: { path: { session_id: id } } })),
    onSettled: refresh,
  });
  return { populate, populateMany, cancel, dismiss };
}
