import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { Delivery, DeliveryStatus, NewWebhook, Webhook, WebhookChange } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

export function useWebhooks() {
  const { slug, api } = useTenant();
  return usePagedList<Webhook>(["webhooks", slug, "list"], (query) => unwrap(api.GET("/api/webhooks", { params: { query } })));
}

export function useWebhook(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["webhooks", slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/webhooks/{webhook_id}", { params: { path: { webhook_id: id } } })),
  });
}

/** What can be chosen; it changes with the version of the server alone. */
export function useWebhookEvents() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["webhook_events", slug],
    queryFn: () => unwrap(api.GET("/api/webhooks/events")),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDeliveries(id: string, status: DeliveryStatus | undefined, event: string | undefined) {
  const { slug, api } = useTenant();
  return usePagedList<Delivery>(["webhooks", slug, "deliveries", { about: id }, status, event], (page) =>
    unwrap(
      api.GET("/api/webhooks/{webhook_id}/deliveries", {
        params: { path: { webhook_id: id }, query: { ...page, ...(status ? { status } : {}), ...(event ? { event } : {}) } },
      }),
    ),
  );
}

export function useDelivery(webhookId: string, id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["webhooks", slug, "delivery", { about: webhookId }, id],
    queryFn: () =>
      unwrap(
        api.GET("/api/webhooks/{webhook_id}/deliveries/{delivery_id}", {
          params: { path: { webhook_id: webhookId, delivery_id: id } },
        }),
      ),
  });
}

export function useWebhookActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = ["webhooks", slug];
  const refresh = () => queryClient.invalidateQueries({ queryKey: mutationKey });
  const create = useMutation({
    mutationKey,
    mutationFn: (body: NewWebhook) => unwrap(api.POST("/api/webhooks", { body })),
    onSuccess: refresh,
  });
  const change = useMutation({
    mutationKey,
    mutationFn: ({ id, ...body }: WebhookChange & { id: string }) =>
      unwrap(api.PATCH("/api/webhooks/{webhook_id}", { params: { path: { webhook_id: id } }, body })),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.DELETE("/api/webhooks/{webhook_id}", { params: { path: { webhook_id: id } } })),
    onSuccess: refresh,
  });
  const rotate = useMutation({
    mutationKey,
    mutationFn: ({ id, keep_hours }: { id: string; keep_hours: number }) =>
      unwrap(api.POST("/api/webhooks/{webhook_id}/rotate", { params: { path: { webhook_id: id } }, body: { keep_hours } })),
    onSuccess: refresh,
  });
  const ping = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.POST("/api/webhooks/{webhook_id}/ping", { params: { path: { webhook_id: id } } })),
    onSuccess: refresh,
  });
  const recover = useMutation({
    mutationKey,
    mutationFn: ({ id, since }: { id: string; since: string }) =>
      unwrap(api.POST("/api/webhooks/{webhook_id}/recover", { params: { path: { webhook_id: id } }, body: { since } })),
    onSuccess: refresh,
  });
  const resend = useMutation({
    mutationKey,
    mutationFn: ({ webhookId, id }: { webhookId: string; id: string }) =>
      unwrap(
        api.POST("/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend", {
          params: { path: { webhook_id: webhookId, delivery_id: id } },
        }),
      ),
    onSuccess: refresh,
  });
  return { create, change, remove, rotate, ping, recover, resend };
}
