import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
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
  const name = useDraftName()("reject", response.id);
  const [notes, setNotes] = useState(() => String(readDraft(name) ?? ""));
  const change = (text: string) => {
    setNotes(text);
    if (text.trim()) keepDraft(name, text);
    else dropDraft(name);
  };
  const byMachine = response.submitted_by.kind === "agent" || response.source === "extraction";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reject.mutate(
          { id: response.id, notes: notes.trim() },
          {
            onSuccess: (rejected) => {
              dropDraft(name);
              onRejected(rejected);
            },
          },
        );
      }}
    >
      <Stack>
        <FormProblem>{reject.error && toProblem(reject.error).message}</FormProblem>
        <Text size="sm" c="dimmed">
          {byMachine
            ? `Your notes are what ${partyName(response.submitted_by)} gets to try again with: say which value is wrong, why, and where the right one is.`
            : `${partyName(response.submitted_by)} will see your notes beside the response.`}
        </Text>
        <Textarea
          label="Notes"
          data-autofocus
          autosize
          minRows={3}
          maxRows={10}
          maxLength={MAX_NOTES}
          value={notes}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={reject.isPending}>
            Reject
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
