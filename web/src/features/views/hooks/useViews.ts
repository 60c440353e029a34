import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { isVersionConflict } from "@/api/problem";
import type { NewView, View, ViewChange } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** With a type: the views that fit its records. */
export function useViews(entityTypeSlug?: string) {
  const { slug, api } = useTenant();
  return usePagedList<View>(["views", slug, "list", { entityType: entityTypeSlug ?? null }], (query) =>
    unwrap(
      api.GET("/api/views", {
        params: { query: { ...query, ...(entityTypeSlug ? { entity_type: entityTypeSlug } : {}) } },
      }),
    ),
  );
}

export function useView(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["views", slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/views/{view_id}", { params: { path: { view_id: id } } })),
  });
}

export function useViewActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["views", slug] });
  const create = useMutation({
    mutationFn: (body: NewView) => unwrap(api.POST("/api/views", { body })),
    onSuccess: refresh,
  });
  const change = useMutation({
    mutationFn: ({ id, ...body }: ViewChange & { id: string }) =>
      unwrap(api.PATCH("/api/views/{view_id}", { params: { path: { view_id: id } }, body })),
    onSuccess: () => void refresh(), // who saved it has the answer, and need not wait
    onError: (error) => (isVersionConflict(error) ? refresh() : undefined), // so that both versions can be named
  });
  const remove = useMutation({
    mutationFn: (id: string) => unwrap(api.DELETE("/api/views/{view_id}", { params: { path: { view_id: id } } })),
    // The page of what is gone is left before anything about it is asked again.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["views", slug, "list"] }),
  });
  return { create, change, remove };
}
