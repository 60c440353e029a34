import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { NewEntityResponse } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** A response changes what its record shows everywhere: score, responses, aggregates. */
export function useSubmitResponse(entityId: string) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationFn: (body: NewEntityResponse) =>
      unwrap(api.POST("/api/entities/{entity_id}/responses", { params: { path: { entity_id: entityId } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["entities", slug] }),
  });
}
