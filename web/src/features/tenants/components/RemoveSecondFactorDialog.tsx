import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useAccountActions } from "../hooks/useAccount";
import { CodeInput } from "./CodeInput";

export function RemoveSecondFactorDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { removeSecondFactor } = useAccountActions();
  const form = useForm({
    initialValues: { current_password: "", code: "" },
    validate: {
      current_password: (value) => (value ? null : "Enter your password"),
      code: (value) => (value.trim() ? null : "Enter a code"),
    },
  });
  const problem = useProblemForm(form);
  const close = () => {
    form.reset();
    problem.clear();
    onClose();
  };
  const submit = form.onSubmit(async ({ current_password, code }) => {
    problem.clear();
    try {
      await removeSecondFactor.mutateAsync({ current_password, code: code.trim() });
      notifyDone("Your password is enough to sign in again.");
      close();
    } catch (error) {
      problem.place(error);
    }
  });
  return (
    <Modal opened={opened} onClose={close} title="Turn the second factor off">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem>{problem.head}</FormProblem>
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps("current_password")}
          />
          <CodeInput {...form.getInputProps("code")} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={removeSecondFactor.isPending}>
              Turn off
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
