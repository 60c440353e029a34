import { ActionIcon, Button, Group, Menu, Switch } from "@mantine/core";
import { DotsHorizontalIcon, PaperPlaneIcon, Pencil1Icon, ReloadIcon, TrashIcon, UpdateIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { Webhook } from "@/api/types";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useWebhookActions } from "../hooks/useWebhooks";
import { RotateDialog } from "./RotateDialog";
import { WebhookDialog } from "./WebhookDialog";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether anything is sent to it. */
export function WebhookSwitch({ webhook }: { webhook: Webhook }) {
  const { change } = useWebhookActions();
  return (
    <Switch
      size="sm"
      aria-label={`${webhook.url} is switched on`}
      checked={webhook.enabled}
      disabled={change.isPending}
      onChange={(event) =>
        change.mutate(
          { id: webhook.id, version: webhook.version, enabled: event.currentTarget.checked },
          { onError: (error) => notifyProblem("The webhook was not changed", error) },
        )
      }
    />
  );
}

/** Test it, edit it, give it another secret, send what it has missed, delete it. */
export function WebhookActs({ webhook, onRemoved }: { webhook: Webhook; onRemoved?: () => void }) {
  const { ping, recover, remove } = useWebhookActions();
  const [editing, setEditing] = useState(false);
  const [rotating, setRotating] = useState(false);
  const test = () =>
    ping.mutate(webhook.id, {
      onSuccess: () => notifyDone("A test is on its way."),
      onError: (error) => notifyProblem("No test was sent", error),
    });
  const sendMissed = () => {
    const since = new Date(Date.now() - DAY_MS).toISOString();
    recover.mutate(
      { id: webhook.id, since },
      {
        onSuccess: () => notifyDone("What it has missed is queued."),
        onError: (error) => notifyProblem("Nothing was queued", error),
      },
    );
  };
  const askToRemove = () =>
    confirmDanger({
      title: "Delete this webhook?",
      children: `Nothing is sent to ${webhook.url} any more, and its log of deliveries goes.`,
      action: "Delete webhook",
      onConfirm: () =>
        remove.mutate(webhook.id, {
          onSuccess: () => {
            notifyDone("The webhook was deleted.");
            onRemoved?.();
          },
          onError: (error) => notifyProblem("The webhook was not deleted", error),
        }),
    });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        leftSection={<PaperPlaneIcon />}
        disabled={!webhook.enabled}
        loading={ping.isPending}
        aria-label={`Send a test to ${webhook.url}`}
        onClick={test}
      >
        Send test
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${webhook.url}`}>
            <DotsHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil1Icon />} onClick={() => setEditing(true)}>
            Edit
          </Menu.Item>
          <Menu.Item leftSection={<UpdateIcon />} onClick={() => setRotating(true)}>
            Rotate secret
          </Menu.Item>
          <Menu.Item leftSection={<ReloadIcon />} disabled={!webhook.enabled} onClick={sendMissed}>
            Send what it missed in the last day
          </Menu.Item>
          <Menu.Item color="var(--mantine-color-error)" leftSection={<TrashIcon />} onClick={askToRemove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <WebhookDialog webhook={editing ? webhook : null} onClose={() => setEditing(false)} />
      <RotateDialog webhook={webhook} opened={rotating} onClose={() => setRotating(false)} />
    </Group>
  );
}
