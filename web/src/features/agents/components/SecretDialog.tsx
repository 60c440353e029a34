import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { type SecretName, useSecretActions } from "../hooks/useAgentConfig";

interface Secret {
  name: SecretName;
  label: string;
  what: string;
}

interface SecretDialogProps {
  agentId: string;
  /** Null is closed. */
  secret: Secret | null;
  onClose: () => void;
}

export function SecretDialog({ agentId, secret, onClose }: SecretDialogProps) {
  return (
    <Modal opened={secret !== null} onClose={onClose} title={secret?.label}>
      {secret && <SecretForm agentId={agentId} secret={secret} onClose={onClose} />}
    </Modal>
  );
}

function SecretForm({ agentId, secret, onClose }: { agentId: string; secret: Secret; onClose: () => void }) {
  const { set } = useSecretActions(agentId);
  const form = useForm({
    initialValues: { value: "" },
    validate: { value: (value) => (value.trim() ? null : "Enter the secret") },
  });
  const problem = useProblemForm(form);
  const submit = form.onSubmit(async ({ value }) => {
    problem.clear();
    try {
      await set.mutateAsync({ name: secret.name, value: value.trim() });
      notifyDone(`The ${secret.label.toLowerCase()} was saved.`);
      onClose();
    } catch (error) {
      problem.place(error);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <PasswordInput
          label="Secret"
          description={`${secret.what}. It takes the place of one that is set.`}
          data-autofocus
          autoComplete="off"
          maxLength={4000}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide what is typed" }}
          {...form.getInputProps("value")}
        />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={set.isPending}>
            Save secret
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
