import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { isVersionConflict } from "@/api/problem";
import type { EntityType, EntityTypeChange, NewEntityType } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { findFieldRules } from "../lib/fields";

export function useEntityTypes() {
  const { slug, api } = useTenant();
  return usePagedList<EntityType>(["entity_types", slug, "list"], (query) =>
    unwrap(api.GET("/api/entity-types", { params: { query } })),
  );
}

export function useEntityType(typeSlug: string | null | undefined) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entity_types", slug, "one", typeSlug],
    queryFn: () => unwrap(api.GET("/api/entity-types/{slug}", { params: { path: { slug: typeSlug ?? "" } } })),
    enabled: Boolean(typeSlug),
  });
}

/** What a number in a field counts, once it is known. */
export function useFieldUnit(typeSlug: string, field: string): string | null {
  const { data } = useEntityType(typeSlug);
  return (data && findFieldRules(data, field)?.unit) ?? null;
}

export function useEntityTypeActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  // A type's default criteria set follows it.
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["entity_types", slug] }),
      queryClient.invalidateQueries({ queryKey: ["criteria_sets", slug] }),
    ]);
  const create = useMutation({
    mutationFn: (body: NewEntityType) => unwrap(api.POST("/api/entity-types", { body })),
    onSuccess: refresh,
  });
  const change = useMutation({
    mutationFn: ({ typeSlug, ...body }: EntityTypeChange & { typeSlug: string }) =>
      unwrap(api.PATCH("/api/entity-types/{slug}", { params: { path: { slug: typeSlug } }, body })),
    onSuccess: () => void refresh(), // who saved it has the answer, and need not wait
    onError: (error) => (isVersionConflict(error) ? refresh() : undefined), // so that both versions can be named
  });
  const remove = useMutation({
    mutationFn: (typeSlug: string) =>
      unwrap(api.DELETE("/api/entity-types/{slug}", { params: { path: { slug: typeSlug } } })),
    // The page of what is gone is left before anything about it is asked again.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["entity_types", slug, "list"] }),
  });
  return { create, change, remove };
}
