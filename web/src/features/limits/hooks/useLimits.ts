import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { UsageLimits } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

const AGAIN = 15_000; // what is used changes without an event

export function useLimits() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["limits", slug],
    queryFn: () => unwrap(api.GET("/api/limits")),
    refetchInterval: AGAIN,
  });
}

export function useLimitActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const again = { mutationKey: ["limits", slug], onSuccess: () => queryClient.invalidateQueries({ queryKey: ["limits", slug] }) };
  return {
    change: useMutation({ ...again, mutationFn: (body: UsageLimits) => unwrap(api.PUT("/api/limits", { body })) }),
    changeKey: useMutation({
      ...again,
      mutationFn: ({ id, most }: { id: string; most: number | null }) =>
        unwrap(api.PUT("/api/limits/keys/{key_id}", { params: { path: { key_id: id } }, body: { requests_per_minute: most } })),
    }),
    measure: useMutation({ ...again, mutationFn: () => unwrap(api.POST("/api/limits/measure")) }),
  };
}
