import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { EntityResponse, ResponseStatus, ScoredResponse } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** A record's responses, newest first; answers hang on what changes under `entities`. */
export function useResponses(entityId: string, wanted: { status?: ResponseStatus; criteriaSetId?: string } = {}) {
  const { slug, api } = useTenant();
  const { status, criteriaSetId } = wanted;
  return usePagedList<EntityResponse>(
    ["entities", slug, "responses", { about: entityId }, { status: status ?? null, criteriaSetId: criteriaSetId ?? null }],
    (query) =>
      unwrap(
        api.GET("/api/entities/{entity_id}/responses", {
          params: {
            path: { entity_id: entityId },
            query: {
              ...query,
              ...(status ? { status } : {}),
              ...(criteriaSetId ? { criteria_set_id: criteriaSetId } : {}),
            },
          },
        }),
      ),
  );
}

export function useResponse(entityId: string, responseId: string | undefined) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "response", { about: entityId }, responseId],
    queryFn: () =>
      unwrap(
        api.GET("/api/entities/{entity_id}/responses/{response_id}", {
          params: { path: { entity_id: entityId, response_id: responseId ?? "" } },
        }),
      ),
    enabled: responseId !== undefined,
  });
}

export function useAggregation(entityId: string, criteriaSetId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "aggregate", { about: entityId }, criteriaSetId],
    queryFn: () =>
      unwrap(
        api.GET("/api/entities/{entity_id}/responses/aggregate", {
          params: { path: { entity_id: entityId }, query: { criteria_set_id: criteriaSetId } },
        }),
      ),
  });
}

/** The newest response of each rater, side by side. */
export function useRaters(entityId: string, criteriaSetId: string) {
  const { slug, api } = useTenant();
  return usePagedList<EntityResponse>(["entities", slug, "raters", { about: entityId }, criteriaSetId], (query) =>
    unwrap(
      api.GET("/api/entities/{entity_id}/responses/raters", {
        params: { path: { entity_id: entityId }, query: { ...query, criteria_set_id: criteriaSetId } },
      }),
    ),
  );
}

/** Every score, newest first, and whose it is. */
export function useScores(entityId: string, criteriaSetId: string) {
  const { slug, api } = useTenant();
  return usePagedList<ScoredResponse>(["entities", slug, "scores", { about: entityId }, criteriaSetId], (query) =>
    unwrap(
      api.GET("/api/entities/{entity_id}/responses/scores", {
        params: { path: { entity_id: entityId }, query: { ...query, criteria_set_id: criteriaSetId } },
      }),
    ),
  );
}

/** With every single value, so that the page can bring them together in another way without asking again. */
export function useMatrixAggregation(entityId: string, criteriaSetId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "aggregate", { about: entityId }, criteriaSetId, "compact"],
    queryFn: () =>
      unwrap(
        api.GET("/api/entities/{entity_id}/responses/aggregate", {
          params: { path: { entity_id: entityId }, query: { criteria_set_id: criteriaSetId, compact: true } },
        }),
      ),
  });
}

export function useReviewActions(entityId: string) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["entities", slug] });
  const path = (response_id: string) => ({ path: { entity_id: entityId, response_id } });
  const reject = useMutation({
    mutationKey: ["entities", slug],
    mutationFn: ({ id, notes }: { id: string; notes: string }) =>
      unwrap(
        api.PATCH("/api/entities/{entity_id}/responses/{response_id}", {
          params: path(id),
          body: { status: "rejected", review_notes: notes || null },
        }),
      ),
    onSettled,
  });
  const withdraw = useMutation({
    mutationKey: ["entities", slug],
    mutationFn: (id: string) =>
      unwrap(api.DELETE("/api/entities/{entity_id}/responses/{response_id}", { params: path(id) })),
    onSettled,
  });
  return { reject, withdraw };
}

/** Takes back the rejection of a response to any record. */
export function useReopen() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["entities", slug],
    mutationFn: ({ entityId, responseId }: { entityId: string; responseId: string }) =>
      unwrap(
        api.PATCH("/api/entities/{entity_id}/responses/{response_id}", {
          params: { path: { entity_id: entityId, response_id: responseId } },
          body: { status: "submitted" },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["entities", slug] }),
  });
}
