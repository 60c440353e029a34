import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { newId } from "@/api/ids";
import type { Archive } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

export const TOPIC = "archives";

/** Newest first; the server says when one gets further. */
export function useArchives() {
  const { slug, api } = useTenant();
  return usePagedList<Archive>([TOPIC, slug, "list"], (query) => unwrap(api.GET("/api/archives", { params: { query } })));
}

export function useArchiveActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const settled = { onSettled: () => queryClient.invalidateQueries({ queryKey: [TOPIC, slug] }) };
  const start = useMutation({
    mutationKey: [TOPIC, slug, "start"],
    mutationFn: () => unwrap(api.POST("/api/archives", { body: { id: newId() } })),
    ...settled,
  });
  const cancel = useMutation({
    mutationKey: [TOPIC, slug, "cancel"],
    mutationFn: (archive_id: string) => unwrap(api.POST("/api/archives/{archive_id}/cancel", { params: { path: { archive_id } } })),
    ...settled,
  });
  const remove = useMutation({
    mutationKey: [TOPIC, slug, "remove"],
    mutationFn: (archive_id: string) => unwrap(api.DELETE("/api/archives/{archive_id}", { params: { path: { archive_id } } })),
    ...settled,
  });
  return { start, cancel, remove };
}
