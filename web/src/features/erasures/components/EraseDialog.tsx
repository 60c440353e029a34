import { Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { toProblem } from "@/api/problem";
import type { ErasurePreview, ErasureSubject } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem, LoadingRows } from "@/ui/states";
import { useErase, useErasurePreview } from "../hooks/useErasures";
import { countFound } from "../lib/words";
import { KeptList } from "./KeptList";

interface EraseDialogProps {
  opened: boolean;
  onClose: () => void;
  what: string;
  erasure: ErasureSubject;
  confirm?: string | undefined;
}

/** Says what goes and what stays before anything does. */
export function EraseDialog({ opened, onClose, what, erasure, confirm }: EraseDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Delete ${what} for good?`} size="lg">
      {opened && <Body onClose={onClose} what={what} erasure={erasure} confirm={confirm} />}
    </Modal>
  );
}

function Body({ onClose, erasure, confirm }: Omit<EraseDialogProps, "opened">) {
  const isWorkspace = erasure.kind === "workspace";
  const preview = useErasurePreview(erasure, !isWorkspace);
  const erase = useErase();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const submit = () =>
    erase.mutate(confirm === undefined ? erasure : { ...erasure, confirm: typed }, {
      onSuccess: ({ id }) => {
        onClose();
        if (isWorkspace) {
          window.location.assign("/"); // nobody is in it any more
          return;
        }
        notifyDone("It is hidden now, and is being deleted.");
        void navigate({ to: "/settings/deleting", search: { erasure: id } });
      },
    });
  return (
    <Stack>
      <FormProblem>{erase.error ? toProblem(erase.error).message : null}</FormProblem>
      {isWorkspace ? (
        <Text size="sm">
          All its records, conversations, sessions, feedback, knowledge and evals, its members and keys, and what the blob
          store has of them. Everybody is signed out of it at once.
        </Text>
      ) : (
        <Preview query={preview} />
      )}
      <Text size="sm" c="dimmed">
        It is hidden at once and deleted in the background. Nobody can bring it back; backups that were taken before still
        have it.
      </Text>
      {confirm !== undefined && (
        <TextInput
          label={`Type ${confirm} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus={confirm === undefined ? true : undefined}>
          Cancel
        </Button>
        <Button
          color="red"
          loading={erase.isPending}
          disabled={(confirm !== undefined && typed !== confirm) || (!isWorkspace && !preview.data)}
          onClick={submit}
        >
          Delete for good
        </Button>
      </Group>
    </Stack>
  );
}

function Preview({ query: { data, error, isPending } }: { query: ReturnType<typeof useErasurePreview> }) {
  if (isPending) return <LoadingRows label="what goes with it" rows={3} />;
  if (!data) return <FormProblem>{toProblem(error).message}</FormProblem>;
  return <Found preview={data} />;
}

function Found({ preview: { goes, kept } }: { preview: ErasurePreview }) {
  return (
    <>
      <div>
        <Text size="sm" fw={600} mb={4}>
          This goes, with every word and file that was made of it
        </Text>
        <List size="sm">
          {Object.entries(goes).map(([kind, count]) => (
            <List.Item key={kind}>{countFound(kind, count)}</List.Item>
          ))}
        </List>
      </div>
      <KeptList kept={kept} />
    </>
  );
}
