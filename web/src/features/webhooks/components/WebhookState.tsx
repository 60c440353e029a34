import { Badge, Group, Stack, Text } from "@mantine/core";
import type { DeliveryStatus, Webhook } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import { DELIVERY_STATUS, stateOf, waitingText } from "../lib/webhooks";

/** How it fares, and since when. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { label, color } = stateOf(webhook);
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={color}>{label}</Badge>
      {webhook.failing_since && (
        <Text size="xs" c="dimmed">
          since <RelativeTime value={webhook.failing_since} />
        </Text>
      )}
      {webhook.waiting > 0 && (
        <Text size="xs" c="dimmed">
          {waitingText(webhook.waiting)}
        </Text>
      )}
    </Stack>
  );
}

export function DeliveryBadge({ status, answered }: { status: DeliveryStatus; answered?: number | null }) {
  const { label, color } = DELIVERY_STATUS[status];
  return (
    <Group gap={6} wrap="nowrap">
      <Badge color={color}>{label}</Badge>
      {answered && (
        <Text size="xs" c="dimmed">
          {answered}
        </Text>
      )}
    </Group>
  );
}
