import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { Modal } from "@/ui/Modal";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useAccountActions } from "../hooks/useAccount";
import { CodeInput } from "./CodeInput";
import { RecoveryCodes } from "./RecoveryCodes";

export function RenewCodesDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { renewRecoveryCodes } = useAccountActions();
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useForm({
    initialValues: { code: "" },
    validate: { code: (value) => (value.trim() ? null : "Enter a code") },
  });
  const problem = useProblemForm(form);
  const close = () => {
    setCodes(null);
    form.reset();
    problem.clear();
    onClose();
  };
  const submit = form.onSubmit(async ({ code }) => {
    problem.clear();
    try {
      setCodes((await renewRecoveryCodes.mutateAsync(code.trim())).recovery_codes);
    } catch (error) {
      problem.place(error);
    }
  });
  return (
    <Modal opened={opened} onClose={close} title="New recovery codes" closeOnClickOutside={false}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={close} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <FormProblem>{problem.head}</FormProblem>
            <CodeInput data-autofocus {...form.getInputProps("code")} />
            <Group justify="flex-end">
              <Button type="submit" loading={renewRecoveryCodes.isPending}>
                New codes
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
