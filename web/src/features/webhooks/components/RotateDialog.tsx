import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { toProblem } from "@/api/problem";
import type { Webhook } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { FormProblem } from "@/ui/states";
import { useWebhookActions } from "../hooks/useWebhooks";
import { SecretShown } from "./SecretShown";

const KEPT = [
  { value: "24", label: "For a day" },
  { value: "168", label: "For a week" },
  { value: "1", label: "For an hour" },
  { value: "0", label: "Not at all: it is known to somebody who should not" },
];

interface RotateDialogProps {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

/** Another secret, while the one before stays valid for a time. */
export function RotateDialog({ webhook, opened, onClose }: RotateDialogProps) {
  const { rotate } = useWebhookActions();
  const [hours, setHours] = useState("24");
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    onClose();
    setSecret(null);
    rotate.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Rotate the secret"
      size="lg"
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
    >
      {secret ? (
        <SecretShown secret={secret} onDone={close} />
      ) : (
        <Stack>
          <FormProblem>{rotate.error ? toProblem(rotate.error).message : null}</FormProblem>
          <Text size="sm">
            The receiver gets a secret in place of the one that it has. While both are valid, all that is sent is signed with
            both, so that nothing is refused meanwhile.
          </Text>
          <NativeSelect
            label="The secret before stays valid"
            data-autofocus
            data={KEPT}
            value={hours}
            onChange={(event) => setHours(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              loading={rotate.isPending}
              onClick={() =>
                rotate.mutate(
                  { id: webhook.id, keep_hours: Number(hours) },
                  { onSuccess: (made) => setSecret(made.secret) },
                )
              }
            >
              Rotate secret
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
