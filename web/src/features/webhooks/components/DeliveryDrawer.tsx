import { Badge, Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import { ReloadIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import type { DeliveryDetail } from "@/api/types";
import { CopyBox } from "@/ui/CopyBox";
import { Loaded } from "@/ui/Loaded";
import { Drawer } from "@/ui/Modal";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useDelivery, useWebhookActions } from "../hooks/useWebhooks";
import { printed } from "../lib/webhooks";
import { DeliveryBadge } from "./WebhookState";

interface DeliveryDrawerProps {
  webhookId: string;
  isEnabled: boolean;
  id: string | undefined;
  onClose: () => void;
}

/** What was sent, and what was answered each time. */
export function DeliveryDrawer({ webhookId, isEnabled, id, onClose }: DeliveryDrawerProps) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="Delivery">
      {id && <DeliveryBody webhookId={webhookId} isEnabled={isEnabled} id={id} />}
    </Drawer>
  );
}

function DeliveryBody({ webhookId, isEnabled, id }: { webhookId: string; isEnabled: boolean; id: string }) {
  const delivery = useDelivery(webhookId, id);
  return (
    <Loaded query={delivery} what="the delivery">
      {(found) => <DeliveryShown delivery={found} isEnabled={isEnabled} />}
    </Loaded>
  );
}

function DeliveryShown({ delivery, isEnabled }: { delivery: DeliveryDetail; isEnabled: boolean }) {
  const { resend } = useWebhookActions();
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={3} style={{ overflowWrap: "anywhere" }}>
          {delivery.event}
        </Title>
        <DeliveryBadge status={delivery.status} />
      </Group>
      <Group>
        <Button
          leftSection={<ReloadIcon />}
          disabled={!isEnabled}
          loading={resend.isPending}
          onClick={() =>
            resend.mutate(
              { webhookId: delivery.webhook_id, id: delivery.id },
              {
                onSuccess: () => notifyDone("It is sent again."),
                onError: (error) => notifyProblem("It was not sent again", error),
              },
            )
          }
        >
          Send again
        </Button>
        {!isEnabled && (
          <Text size="sm" c="dimmed">
            The webhook is switched off.
          </Text>
        )}
      </Group>
      <dl style={{ display: "grid", gridTemplateColumns: "7.5rem minmax(0, 1fr)", gap: "8px 12px", margin: 0 }}>
        <Fact name="Sent to">{delivery.url}</Fact>
        <Fact name="webhook-id">
          <Code>{delivery.event_id}</Code>
        </Fact>
        <Fact name="Subject">
          <Code>{delivery.subject_id}</Code>
        </Fact>
        <Fact name="Happened">
          <RelativeTime value={delivery.event_at} />
        </Fact>
        <Fact name="Attempts">{delivery.attempts}</Fact>
        {delivery.next_at && (
          <Fact name="Next attempt">
            <RelativeTime value={delivery.next_at} />
          </Fact>
        )}
      </dl>
      <CopyBox label="Body" value={printed(delivery.body)} />
      <Attempts tries={delivery.tries} />
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: "anywhere" }}>
        {children}
      </Text>
    </>
  );
}

function Attempts({ tries }: { tries: DeliveryDetail["tries"] }) {
  if (tries.length === 0) return <Text size="sm" c="dimmed">No attempt was made yet.</Text>;
  return (
    <Stack gap="md">
      <Title order={3}>Attempts</Title>
      {tries.map((attempt) => (
        <Stack key={attempt.number} gap={6} component="section" aria-label={`Attempt ${attempt.number}`}>
          <Group gap="xs">
            <Text size="sm" fw={550}>
              Attempt {attempt.number}, <RelativeTime value={attempt.at} />
            </Text>
            <Badge color={attempt.error ? "red" : "green"}>{attempt.status ?? "No answer"}</Badge>
            <Text size="xs" c="dimmed">
              {attempt.milliseconds} ms
            </Text>
          </Group>
          {attempt.error && (
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {attempt.error}
            </Text>
          )}
          <Shown label="Headers sent" text={Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`).join("\n")} />
          {attempt.answer && <Shown label={attempt.answer_type ? `Answer, ${attempt.answer_type}` : "Answer"} text={attempt.answer} />}
        </Stack>
      ))}
    </Stack>
  );
}

function Shown({ label, text }: { label: string; text: string }) {
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Code block tabIndex={0} role="region" aria-label={label} mah={200} style={{ overflow: "auto", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {text}
      </Code>
    </Stack>
  );
}
