import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { Golden, GoldenCandidate, GoldenChange, GoldenSet, NewGolden, StarterSet } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { inParts } from "../lib/parts";

export const TOPIC = "goldens";
const MOST_AT_ONCE = 200; // rows of feedback that are settled by one request

/** By name. */
export function useGoldenSets() {
  const { slug, api } = useTenant();
  return usePagedList<GoldenSet>([TOPIC, slug, "sets"], (query) => unwrap(api.GET("/api/admin/evals/sets", { params: { query } })));
}

/** Those of a set, newest first. */
export function useGoldens(set: string) {
  const { slug, api } = useTenant();
  return usePagedList<Golden>([TOPIC, slug, "list", set], (query) =>
    unwrap(api.GET("/api/admin/evals/golden", { params: { query: { ...query, set } } })),
  );
}

/** One with what was frozen of it. */
export function useGolden(id: string | null) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "one", { about: id ?? "" }],
    queryFn: () => unwrap(api.GET("/api/admin/evals/golden/{golden_id}", { params: { path: { golden_id: id ?? "" } } })),
    enabled: id !== null,
  });
}

/** What a good answer to the same might have to say, for a person to choose from. */
export function useProposedFacts(sessionId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["sessions", slug, "facts", { about: sessionId }],
    queryFn: () => unwrap(api.GET("/api/admin/evals/facts", { params: { query: { sessionId } } })).then(({ data }) => data),
  });
}

const MOST_CANDIDATES = 100; // the server's limit

/** What users asked where agents did badly: it hangs on feedback. */
export function useCandidates() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["feedback", slug, "candidates"],
    queryFn: (): Promise<GoldenCandidate[]> =>
      unwrap(api.GET("/api/admin/evals/candidates", { params: { query: { limit: MOST_CANDIDATES } } })).then(({ data }) => data),
  });
}

/** Sets to begin with, and how far each is loaded. */
export function useStarters() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "starters"],
    queryFn: (): Promise<StarterSet[]> => unwrap(api.GET("/api/admin/evals/starters")).then(({ data }) => data),
  });
}

export type Resolution = "applied" | "dismissed";

export function useGoldenActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = [TOPIC, slug];
  const refresh = (...topics: string[]) => Promise.all(topics.map((topic) => queryClient.invalidateQueries({ queryKey: [topic, slug] })));
  const at = (id: string) => ({ path: { golden_id: id } });
  const promote = useMutation({
    mutationKey,
    mutationFn: (body: NewGolden) => unwrap(api.POST("/api/admin/evals/golden", { body })),
    onSettled: () => refresh(TOPIC, "sessions", "eval_runs"),
  });
  const change = useMutation({
    mutationKey,
    mutationFn: ({ id, ...body }: GoldenChange & { id: string }) => unwrap(api.PATCH("/api/admin/evals/golden/{golden_id}", { params: at(id), body })),
    onSettled: () => refresh(TOPIC, "sessions"),
  });
  const revoke = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.DELETE("/api/admin/evals/golden/{golden_id}", { params: at(id) })),
    onSettled: () => refresh(TOPIC, "sessions"),
  });
  const rename = useMutation({
    mutationKey,
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      unwrap(api.PATCH("/api/admin/evals/sets/{golden_set_id}", { params: { path: { golden_set_id: id } }, body: { name } })),
    onSettled: () => refresh(TOPIC, "eval_runs"),
  });
  const resolve = useMutation({
    mutationKey: ["feedback", slug],
    mutationFn: async ({ feedbackIds, action }: { feedbackIds: string[]; action: Resolution }) => {
      let updated = 0;
      for (const some of inParts(feedbackIds, MOST_AT_ONCE)) {
        const settled = await unwrap(api.PATCH("/api/admin/evals/candidates", { body: { feedbackIds: some, action } }));
        updated += settled.updated;
      }
      return { updated };
    },
    onSettled: () => refresh("feedback"),
  });
  const load = useMutation({
    mutationKey,
    mutationFn: ({ name, trials }: { name: string; trials: boolean }) =>
      unwrap(api.POST("/api/admin/evals/starters/{starter}", { params: { path: { starter: name } }, body: { trials } })),
    onSettled: () => refresh(TOPIC, "sessions", "agents", "entities", "entity_types"),
  });
  const alternative = (id: string, sessionId: string) => ({ params: { path: { golden_id: id, session_id: sessionId } } });
  const accept = useMutation({
    mutationKey,
    mutationFn: ({ id, sessionId }: { id: string; sessionId: string }) =>
      unwrap(api.PUT("/api/admin/evals/golden/{golden_id}/alternatives/{session_id}", alternative(id, sessionId))),
    onSettled: () => refresh(TOPIC, "sessions"),
  });
  const acceptNoMore = useMutation({
    mutationKey,
    mutationFn: ({ id, sessionId }: { id: string; sessionId: string }) =>
      unwrap(api.DELETE("/api/admin/evals/golden/{golden_id}/alternatives/{session_id}", alternative(id, sessionId))),
    onSettled: () => refresh(TOPIC, "sessions"),
  });
  return { promote, change, revoke, rename, resolve, load, accept, acceptNoMore };
}

export type GoldenActions = ReturnType<typeof useGoldenActions>;
