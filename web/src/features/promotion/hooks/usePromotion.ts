import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

export interface Target {
  entityId: string;
  responseId: string;
  /** Keys of dimensions of the response. */
  fields: readonly string[];
}

/** What a promotion would change, asked anew whenever the record changes. */
export function usePromotionPreview({ entityId, responseId, fields }: Target, enabled = true) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "preview", { about: entityId }, responseId, fields],
    queryFn: () =>
      unwrap(
        api.POST("/api/entities/{entity_id}/responses/{response_id}/promote/preview", {
          params: { path: { entity_id: entityId, response_id: responseId } },
          body: { fields: [...fields] },
        }),
      ),
    enabled,
    staleTime: 0, // a decision is made on it,
    gcTime: 0, // and never on what was shown when it was opened before
  });
}

/** Takes promoted values back, all of them or none. What was changed since stays as it is, and the server says which. */
export function useUndoPromoted() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["entities", slug],
    mutationFn: ({ entityId, responseId, fields }: Target) =>
      unwrap(
        api.POST("/api/entities/{entity_id}/responses/{response_id}/undo", {
          params: { path: { entity_id: entityId, response_id: responseId } },
          body: { fields: [...fields] },
        }),
      ),
    // Not waited for: it is undone, and said so, whatever the page still has to read anew.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ["entities", slug] }),
  });
}

export function usePromote() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["entities", slug],
    mutationFn: ({ entityId, responseId, fields, version }: Target & { version: number }) =>
      unwrap(
        api.POST("/api/entities/{entity_id}/responses/{response_id}/promote", {
          params: { path: { entity_id: entityId, response_id: responseId } },
          body: { fields: [...fields], expected_version: version },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["entities", slug] }),
  });
}
