import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { type Problem, isVersionConflict, toProblem } from "@/api/problem";
import type { Webhook, WebhookWithSecret } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useWebhookActions } from "../hooks/useWebhooks";
import { type Draft, bodyOf, checkDraft, draftOf } from "../lib/webhooks";
import { EventChoice } from "./EventChoice";
import { SecretShown } from "./SecretShown";

interface WebhookDialogProps {
  /** "new" is one that is not there yet; null is closed. */
  webhook: Webhook | "new" | null;
  onClose: () => void;
}

export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  const close = () => {
    onClose();
    setCreated(null);
  };
  return (
    <Modal
      opened={webhook !== null}
      onClose={close}
      title={webhook === "new" ? "New webhook" : "Edit webhook"}
      size="lg"
      // The secret is shown once: leaving must be a decision.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
    >
      {created ? (
        <SecretShown secret={created.secret} onDone={close} />
      ) : (
        webhook && <WebhookForm webhook={webhook === "new" ? null : webhook} onCreated={setCreated} onClose={close} />
      )}
    </Modal>
  );
}

interface WebhookFormProps {
  webhook: Webhook | null;
  onCreated: (created: WebhookWithSecret) => void;
  onClose: () => void;
}

function WebhookForm({ webhook, onCreated, onClose }: WebhookFormProps) {
  const { create, change: save } = useWebhookActions();
  const [draft, setDraft] = useState<Draft>(() => draftOf(webhook));
  const [missing, setMissing] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = (part: Partial<Draft>) => {
    setMissing({});
    setProblem(null);
    setDraft((before) => ({ ...before, ...part }));
  };
  const faultAt = (place: string) => problem?.errors.find(({ path }) => path.startsWith(place))?.message;
  const submit = async () => {
    const found = checkDraft(draft);
    setMissing(found);
    if (Object.keys(found).length > 0) return;
    const body = bodyOf(draft);
    try {
      if (webhook) {
        await save.mutateAsync({ id: webhook.id, version: webhook.version, ...body });
        notifyDone("The webhook was saved.");
        onClose();
      } else onCreated(await create.mutateAsync({ ...body, enabled: true }));
    } catch (error) {
      setProblem(toProblem(error));
    }
  };
  return (
    <form
      noValidate
      aria-label={webhook ? "Edit webhook" : "New webhook"}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack>
        <FormProblem>{headOf(problem)}</FormProblem>
        <TextInput
          label="Address"
          description="Events are sent there by POST, as JSON"
          placeholder="https://example.com/hooks/goldloop"
          data-autofocus
          inputMode="url"
          maxLength={2000}
          value={draft.url}
          error={missing["url"] ?? faultAt("/url")}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
        <TextInput
          label="Description"
          description="Optional. Say what it is for."
          maxLength={500}
          value={draft.description}
          error={faultAt("/description")}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <EventChoice all={draft.all} events={draft.events} error={missing["events"] ?? faultAt("/events")} onChange={change} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || save.isPending}>
            Save webhook
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function headOf(problem: Problem | null): string | null {
  if (!problem) return null;
  if (isVersionConflict(problem)) return "Somebody changed this webhook meanwhile. Close this and look at it again.";
  return problem.errors.length === 0 ? problem.message : null;
}
