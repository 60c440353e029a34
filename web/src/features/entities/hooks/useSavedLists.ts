import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { NewSavedList, SavedList, SavedListChange } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

const TOPIC = "saved_lists";

/** One's own and those that are shared, by name: all of them. */
export function useSavedLists() {
  const { slug, api } = useTenant();
  const lists = usePagedList<SavedList>([TOPIC, slug, "list"], (query) =>
    unwrap(api.GET("/api/saved-lists", { params: { query } })),
  );
  return useEveryPage(lists);
}

export function useSavedListActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const settings = {
    mutationKey: [TOPIC, slug],
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [TOPIC, slug] }),
  };
  const create = useMutation({
    ...settings,
    mutationFn: (body: NewSavedList) => unwrap(api.POST("/api/saved-lists", { body })),
  });
  const change = useMutation({
    ...settings,
    mutationFn: ({ id, ...body }: SavedListChange & { id: string }) =>
      unwrap(api.PATCH("/api/saved-lists/{list_id}", { params: { path: { list_id: id } }, body })),
  });
  const remove = useMutation({
    ...settings,
    mutationFn: (id: string) => unwrap(api.DELETE("/api/saved-lists/{list_id}", { params: { path: { list_id: id } } })),
  });
  return { create, change, remove };
}
