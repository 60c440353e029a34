import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { Key, NewKey } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenantSlug } from "./useWorkspace";

export function useKeys() {
  const slug = useTenantSlug();
  return usePagedList<Key>(["keys", slug], (query) => unwrap(api.GET("/api/keys", { params: { query } })));
}

export function useKeyActions() {
  const queryClient = useQueryClient();
  const slug = useTenantSlug();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["keys", slug] });
  const create = useMutation({
    mutationFn: (body: NewKey) => unwrap(api.POST("/api/keys", { body })),
    onSuccess: refresh,
    gcTime: 0, // the answer holds the secret; keep it no longer than the dialog does
  });
  const revoke = useMutation({
    mutationFn: (key_id: string) => unwrap(api.POST("/api/keys/{key_id}/revoke", { params: { path: { key_id } } })),
    onSuccess: refresh,
  });
  return { create, revoke };
}
