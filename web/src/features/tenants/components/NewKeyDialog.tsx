import { Alert, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { KeyCreated } from "@/api/types";
import { CopyBox } from "@/ui/CopyBox";
import { Modal } from "@/ui/Modal";
import { curlExample } from "../lib/curl";
import { NewKeyForm } from "./NewKeyForm";

interface NewKeyDialogProps {
  opened: boolean;
  /** The agent that it is for; without, the form asks whose it is. */
  agentId?: string;
  onClose: () => void;
}

export function NewKeyDialog({ opened, agentId, onClose }: NewKeyDialogProps) {
  const [created, setCreated] = useState<KeyCreated | null>(null);
  const close = () => {
    onClose();
    setCreated(null);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={created ? `New key “${created.name}”` : "New API key"}
      size="lg"
      // The secret is shown once: leaving must be a decision.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
    >
      {created ? <Secret created={created} onDone={close} /> : <NewKeyForm agentId={agentId} onCreated={setCreated} onCancel={close} />}
    </Modal>
  );
}

function Secret({ created, onDone }: { created: KeyCreated; onDone: () => void }) {
  return (
    <Stack>
      {created.key ? (
        <>
          <Alert color="gold" title="Copy the key now">
            It is stored only as a hash, so it cannot be shown again.
          </Alert>
          <CopyBox label="API key" autoFocus value={created.key} />
          <CopyBox label="Example" value={curlExample(window.location.origin, created.key)} />
        </>
      ) : (
        <Alert color="gold" title="This key was saved before">
          Its secret was shown at that time and cannot be shown again. If it is lost, revoke it and save a new key.
        </Alert>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have stored it</Button>
      </Group>
    </Stack>
  );
}
