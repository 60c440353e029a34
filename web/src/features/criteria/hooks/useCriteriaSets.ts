import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { isVersionConflict } from "@/api/problem";
import type { CriteriaSet, CriteriaSetChange, NewCriteriaSet } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** The sets in use, by slug: those that fit one type, or all of them. */
export function useCriteriaSets(entityTypeSlug?: string) {
  const { slug, api } = useTenant();
  return usePagedList<CriteriaSet>(["criteria_sets", slug, "list", { entityType: entityTypeSlug ?? null }], (query) =>
    unwrap(
      api.GET("/api/criteria-sets", {
        params: { query: { ...query, ...(entityTypeSlug ? { entity_type: entityTypeSlug } : {}) } },
      }),
    ),
  );
}

/** With `archived`, also those no longer in use. */
export function useAllCriteriaSets(archived: boolean) {
  const { slug, api } = useTenant();
  return usePagedList<CriteriaSet>(["criteria_sets", slug, "list", { archived }], (query) =>
    unwrap(api.GET("/api/criteria-sets", { params: { query: { ...query, archived } } })),
  );
}

export function useCriteriaSet(id: string | undefined) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["criteria_sets", slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/criteria-sets/{set_id}", { params: { path: { set_id: id ?? "" } } })),
    enabled: id !== undefined,
  });
}

/** The set of this slug if records of the type can have responses to it, also when it is archived; else null. */
export function useCriteriaSetOfType(entityTypeSlug: string, setSlug: string | undefined) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["criteria_sets", slug, "of_type", entityTypeSlug, setSlug],
    queryFn: async (): Promise<CriteriaSet | null> => {
      const query = { entity_type: entityTypeSlug, slug: setSlug ?? "", archived: true };
      return (await unwrap(api.GET("/api/criteria-sets", { params: { query } }))).data[0] ?? null;
    },
    enabled: setSlug !== undefined,
  });
}

/** How far respondents agree. Follows the responses, and so what changes under `entities`. */
export function useAgreement(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "agreement", { about: id }],
    queryFn: () => unwrap(api.GET("/api/criteria-sets/{set_id}/agreement", { params: { path: { set_id: id } } })),
  });
}

export function useCriteriaSetActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["criteria_sets", slug] });
  const create = useMutation({
    mutationFn: (body: NewCriteriaSet) => unwrap(api.POST("/api/criteria-sets", { body })),
    onSuccess: refresh,
  });
  const change = useMutation({
    mutationFn: ({ id, ...body }: CriteriaSetChange & { id: string }) =>
      unwrap(api.PATCH("/api/criteria-sets/{set_id}", { params: { path: { set_id: id } }, body })),
    onSuccess: () => void refresh(), // who saved it has the answer, and need not wait
    onError: (error) => (isVersionConflict(error) ? refresh() : undefined), // so that both versions can be named
  });
  /** Answers with the set when it was archived, with nothing when it is gone. */
  const remove = useMutation({
    mutationFn: (id: string) =>
      unwrap(api.DELETE("/api/criteria-sets/{set_id}", { params: { path: { set_id: id } } })),
    // The page of what is gone is left before anything about it is asked again.
    onSuccess: (archived) =>
      archived ? refresh() : queryClient.invalidateQueries({ queryKey: ["criteria_sets", slug, "list"] }),
  });
  return { create, change, remove };
}
