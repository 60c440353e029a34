import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { Relation } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

export function useRelations(entityId: string, fieldKey: string) {
  const { slug, api } = useTenant();
  return usePagedList<Relation>(["entities", slug, "relations", entityId, fieldKey], (query) =>
    unwrap(
      api.GET("/api/entities/{entity_id}/relations", {
        params: { path: { entity_id: entityId }, query: { ...query, field_key: fieldKey } },
      }),
    ),
  );
}

/** The relations of other records that lead to this one through a field of that name. */
export function useReferences(entityId: string, fieldKey: string) {
  const { slug, api } = useTenant();
  return usePagedList<Relation>(["entities", slug, "references", entityId, fieldKey], (query) =>
    unwrap(
      api.GET("/api/entities/{entity_id}/relations", {
        params: { path: { entity_id: entityId }, query: { ...query, field_key: fieldKey, direction: "in" } },
      }),
    ),
  );
}

/** Connects records of which one may have been made a moment ago. */
export function useConnect() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["entities", slug],
    mutationFn: ({ entity_id, ...body }: { entity_id: string; field_key: string; target_id: string }) =>
      unwrap(api.POST("/api/entities/{entity_id}/relations", { params: { path: { entity_id } }, body })),
    onSettled: (_answer, _error, { entity_id }) =>
      queryClient.invalidateQueries({ queryKey: ["entities", slug, "relations", entity_id] }),
  });
}

export function useRelationActions(entityId: string) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["entities", slug, "relations", entityId] });
  const connect = useMutation({
    mutationKey: ["entities", slug],
    mutationFn: (body: { field_key: string; target_id: string }) =>
      unwrap(api.POST("/api/entities/{entity_id}/relations", { params: { path: { entity_id: entityId } }, body })),
    onSettled,
  });
  const disconnect = useMutation({
    mutationKey: ["entities", slug],
    mutationFn: (relation_id: string) =>
      unwrap(
        api.DELETE("/api/entities/{entity_id}/relations/{relation_id}", {
          params: { path: { entity_id: entityId, relation_id } },
        }),
      ),
    onSettled,
  });
  return { connect, disconnect };
}
