import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { Key, NewKey } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "./useWorkspace";

export function useKeys(status: Key["status"] | undefined) {
  const { slug, api } = useTenant();
  return usePagedList<Key>(["keys", slug, status ?? "all"], (query) =>
    unwrap(api.GET("/api/keys", { params: { query: { ...query, ...(status ? { status } : {}) } } })),
  );
}

/** The same, but only those of one member or agent; all are read for them, as there are dozens. */
export function useKeysOf(holderId: string | undefined, status: Key["status"] | undefined) {
  const { query, rows } = useEveryPage(useKeys(status), holderId !== undefined);
  return { query, rows: holderId === undefined ? rows : rows?.filter(({ holder }) => holder.id === holderId) };
}

/** One of them, read again when it is used. */
export function useKey(id: string | null) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["keys", slug, "one", { about: id ?? "" }],
    queryFn: () => unwrap(api.GET("/api/keys/{key_id}", { params: { path: { key_id: id ?? "" } } })),
    enabled: id !== null,
  });
}

export function useKeyActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = ["keys", slug];
  const refresh = () => queryClient.invalidateQueries({ queryKey: mutationKey });
  const create = useMutation({
    mutationKey,
    mutationFn: (body: NewKey) => unwrap(api.POST("/api/keys", { body })),
    onSuccess: refresh,
    gcTime: 0, // the answer holds the secret; keep it no longer than the dialog does
  });
  const revoke = useMutation({
    mutationKey,
    mutationFn: (key_id: string) => unwrap(api.POST("/api/keys/{key_id}/revoke", { params: { path: { key_id } } })),
    onSuccess: refresh,
  });
  return { create, revoke };
}
