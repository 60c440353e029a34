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
    staleTime: 0, // a decision is made on it
  });
}

/** Fields that were promoted together, when the record was at this version. */
export interface Promoted {
  entityId: string;
  fields: readonly string[];
  version: number;
}

/** Takes a promotion back, field by field. A record that changed since is left as it is. */
export function useUndoPromoted() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["entities", slug],
    mutationFn: async ({ entityId, fields, version }: Promoted) => {
      let at = version + 1; // the promotion made a version of its own
      for (const field of fields) {
        const params = { path: { entity_id: entityId, field } };
        const body = { expected_version: at };
        at = (await unwrap(api.POST("/api/entities/{entity_id}/fields/{field}/undo", { params, body }))).version;
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["entities", slug] }),
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
