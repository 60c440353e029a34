import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useRef, useState } from "react";
import { toProblem } from "@/api/problem";
import type { EntityResponse } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { useDraftName } from "@/features/responses/hooks/useDraftName";
import { useReviewActions } from "@/features/responses/hooks/useResponses";
import { Modal } from "@/ui/Modal";
import { dropDraft, keepDraft, readDraft } from "@/ui/drafts";
import { FormProblem } from "@/ui/states";

const MAX_NOTES = 10_000; // the server's limit

interface RejectDialogProps {
  /** None: the dialog is closed. */
  response: EntityResponse | null;
  onClose: () => void;
  onRejected: (response: EntityResponse) => void;
}

export function RejectDialog({ response, onClose, onRejected }: RejectDialogProps) {
  return (
    <Modal opened={response !== null} onClose={onClose} title="Reject this response">
      {response && <RejectForm response={response} onCancel={onClose} onRejected={onRejected} />}
    </Modal>
  );
}

interface RejectFormProps {
  response: EntityResponse;
  onCancel: () => void;
  onRejected: (response: EntityResponse) => void;
}

function RejectForm({ response, onCancel, onRejected }: RejectFormProps) {
  const { reject } = useReviewActions(response.entity_id);
  const form = useRef<HTMLFormElement>(null);
  const name = useDraftName()("reject", response.id);
  const [notes, setNotes] = useState(() => String(readDraft(name) ?? ""));
  const change = (text: string) => {
    setNotes(text);
    if (text.trim()) keepDraft(name, text);
    else dropDraft(name);
  };
  const byMachine = response.submitted_by.kind === "agent" || response.source === "extraction";
  const who = partyName(response.submitted_by);
  const [isAsked, setAsked] = useState(false);
  const isMissing = byMachine && !notes.trim();
  const send = () =>
    reject.mutate(
      { id: response.id, notes: notes.trim() },
      {
        onSuccess: (rejected) => {
          dropDraft(name);
          onRejected(rejected);
        },
      },
    );
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (reject.isPending) return;
        if (!isMissing) return send();
        setAsked(true);
        form.current?.querySelector("textarea")?.focus();
      }}
    >
      <Stack>
        <FormProblem>{reject.error && toProblem(reject.error).message}</FormProblem>
        <Text size="sm" c="dimmed">
          {byMachine
            ? `Your notes are what ${who} gets to try again with: say which value is wrong, why, and where the right one is.`
            : `${who} will see your notes beside the response.`}
        </Text>
        <Textarea
          label="Notes"
          data-autofocus
          autosize
          minRows={3}
          maxRows={10}
          maxLength={MAX_NOTES}
          aria-required={byMachine || undefined}
          error={isAsked && isMissing && `Without a note ${who} learns nothing from this.`}
          errorProps={{ role: "alert" }}
          value={notes}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <Group justify="flex-end">
          {isAsked && isMissing && (
            <Button variant="subtle" color="gray" mr="auto" onClick={send}>
              Reject without a note
            </Button>
          )}
          <Group wrap="nowrap">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={reject.isPending}>
              Reject
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
