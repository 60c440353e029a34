import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { Erasure, ErasureSubject, NewErasure, Retention } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

export function useErasures() {
  const { slug, api } = useTenant();
  return usePagedList<Erasure>(["erasures", slug, "list"], (query) =>
    unwrap(api.GET("/api/erasures", { params: { query } })),
  );
}

export function useErasure(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["erasures", slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/erasures/{erasure_id}", { params: { path: { erasure_id: id } } })),
  });
}

/** What would go. Asked for when somebody is about to decide, and never from memory. */
export function useErasurePreview(body: ErasureSubject, enabled: boolean) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["erasures", slug, "preview", body],
    queryFn: () => unwrap(api.POST("/api/erasures/preview", { body })),
    enabled,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
}

export function useErase() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["erasures", slug],
    mutationFn: (body: NewErasure) => unwrap(api.POST("/api/erasures", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["erasures", slug, "list"] }),
  });
}

export function useRetention() {
  const { slug, api } = useTenant();
  return useQuery({ queryKey: ["erasures", slug, "retention"], queryFn: () => unwrap(api.GET("/api/retention")) });
}

export function useRetentionDue(wanted: Retention, enabled: boolean) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["erasures", slug, "due", wanted],
    queryFn: () => unwrap(api.POST("/api/retention/preview", { body: wanted })),
    enabled,
    staleTime: 0,
  });
}

export function useChangeRetention() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["erasures", slug],
    mutationFn: (body: Retention) => unwrap(api.PUT("/api/retention", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["erasures", slug] }),
  });
}
