import { Alert, Group, NativeSelect, Paper, ScrollArea, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Webhook } from "@/api/types";
import { DeliveriesTable } from "@/features/webhooks/components/DeliveriesTable";
import { DeliveryDrawer } from "@/features/webhooks/components/DeliveryDrawer";
import { WebhookActs, WebhookSwitch } from "@/features/webhooks/components/WebhookActs";
import { WebhookState } from "@/features/webhooks/components/WebhookState";
import { useWebhook, useWebhookEvents } from "@/features/webhooks/hooks/useWebhooks";
import { ALL, DELIVERY_STATUS, DELIVERY_STATUSES, whyOff } from "@/features/webhooks/lib/webhooks";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { RelativeTime } from "@/ui/RelativeTime";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/settings/webhooks/$id");
const FILTERS = [
  { value: "all", label: "All" },
  ...DELIVERY_STATUSES.map((status) => ({ value: status as string, label: DELIVERY_STATUS[status].label })),
];

export function WebhookPage() {
  const { id } = route.useParams();
  const webhook = useWebhook(id);
  useTitle(webhook.data?.url, "Webhooks");
  return (
    <>
      <BackLink to="/settings/webhooks">Webhooks</BackLink>
      <Loaded query={webhook} what="the webhook">
        {(found) => <WebhookShown webhook={found} />}
      </Loaded>
    </>
  );
}

function WebhookShown({ webhook }: { webhook: Webhook }) {
  const navigate = route.useNavigate();
  const { delivery } = route.useSearch();
  const open = (id: string | undefined) => void navigate({ search: (before) => ({ ...before, delivery: id }) });
  return (
    <Stack gap="xl">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm" align="flex-start">
          <div style={{ minWidth: 0, flex: "1 1 16rem" }}>
            <Title order={2} style={{ overflowWrap: "anywhere" }}>
              {webhook.url}
            </Title>
            {webhook.description && (
              <Text size="sm" c="dimmed">
                {webhook.description}
              </Text>
            )}
          </div>
          <Group gap="md" wrap="nowrap">
            <WebhookSwitch webhook={webhook} />
            <WebhookActs webhook={webhook} onRemoved={() => void navigate({ to: "/settings/webhooks" })} />
          </Group>
        </Group>
        <Trouble webhook={webhook} />
        <Facts webhook={webhook} />
      </Stack>
      <section aria-labelledby="deliveries">
        <Title order={3} id="deliveries" mb="sm">
          Deliveries
        </Title>
        <Filters />
        <Deliveries id={webhook.id} onOpen={open} />
      </section>
      <DeliveryDrawer webhookId={webhook.id} isEnabled={webhook.enabled} id={delivery} onClose={() => open(undefined)} />
    </Stack>
  );
}

function Trouble({ webhook }: { webhook: Webhook }) {
  const why = whyOff(webhook);
  if (!why && !webhook.failing_since) return null;
  return (
    <Alert
      color={why ? "red" : "orange"}
      icon={<ExclamationTriangleIcon />}
      title={why ? "The server switched it off" : "It takes nothing at the moment"}
    >
      <Text size="sm">
        {why ?? "What waits is kept, and sent when it answers again."}
        {webhook.last_error && ` Last: ${webhook.last_error}`}
      </Text>
      {why && (
        <Text size="sm" mt={4}>
          Switch it on when it is mended: what waits goes then. What happened meanwhile was not queued; send it by the menu above.
        </Text>
      )}
      {!why && webhook.paused_until && (
        <Text size="sm" mt={4}>
          It is tried again <RelativeTime value={webhook.paused_until} />.
        </Text>
      )}
    </Alert>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  return (
    <Paper withBorder radius="md" p="md">
      <Group gap="xl" align="flex-start">
        <Fact name="State">
          <WebhookState webhook={webhook} />
        </Fact>
        <Fact name="Last success">
          <RelativeTime value={webhook.last_success_at} none="Never" />
        </Fact>
        <Fact name="Saved">
          <RelativeTime value={webhook.created_at} />
          {webhook.created_by.name && `, ${webhook.created_by.name}`}
        </Fact>
        {webhook.previous_secret_until && (
          <Fact name="Two secrets are valid until">
            <RelativeTime value={webhook.previous_secret_until} />
          </Fact>
        )}
        <Fact name="Events">{webhook.events.includes(ALL) ? "All" : webhook.events.join(", ")}</Fact>
      </Group>
    </Paper>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Stack gap={2} style={{ minWidth: 0, maxWidth: "100%" }}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm" component="div" style={{ overflowWrap: "anywhere" }}>
        {children}
      </Text>
    </Stack>
  );
}

function Filters() {
  const navigate = route.useNavigate();
  const { status, event } = route.useSearch();
  const events = useWebhookEvents();
  const names = [...(events.data ?? []).map(({ name }) => name), "webhook.pinged"];
  return (
    <Group mb="md" gap="sm" align="flex-end">
      <ScrollArea type="never">
        <SegmentedControl
          size="xs"
          aria-label="Status"
          data={FILTERS}
          value={status ?? "all"}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, status: DELIVERY_STATUSES.find((each) => each === value) }),
              replace: true,
            })
          }
        />
      </ScrollArea>
      <NativeSelect
        size="xs"
        aria-label="Event"
        data={[{ value: "", label: "All events" }, ...names.map((name) => ({ value: name, label: name }))]}
        value={event ?? ""}
        onChange={({ currentTarget }) =>
          void navigate({ search: (before) => ({ ...before, event: currentTarget.value || undefined }), replace: true })
        }
      />
    </Group>
  );
}

function Deliveries({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  const { status, event } = route.useSearch();
  return <DeliveriesTable webhookId={id} status={status} event={event} onOpen={onOpen} />;
}
