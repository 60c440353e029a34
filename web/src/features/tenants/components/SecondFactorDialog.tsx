import { Button, Code, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { Enrolment } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { QrCode } from "@/ui/QrCode";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useAccountActions } from "../hooks/useAccount";
import { CodeInput } from "./CodeInput";
import { RecoveryCodes } from "./RecoveryCodes";

interface SecondFactorDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Three steps: the password, the app, the recovery codes. */
export function SecondFactorDialog({ opened, onClose }: SecondFactorDialogProps) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => {
    setEnrolment(null);
    setCodes(null);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Second factor" closeOnClickOutside={false}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={close} />
      ) : enrolment ? (
        <ConfirmStep enrolment={enrolment} onConfirmed={setCodes} />
      ) : (
        <PasswordStep onBegun={setEnrolment} />
      )}
    </Modal>
  );
}

function PasswordStep({ onBegun }: { onBegun: (enrolment: Enrolment) => void }) {
  const { beginSecondFactor } = useAccountActions();
  const form = useForm({
    initialValues: { current_password: "" },
    validate: { current_password: (value) => (value ? null : "Enter your password") },
  });
  const problem = useProblemForm(form);
  const submit = form.onSubmit(async ({ current_password }) => {
    problem.clear();
    try {
      onBegun(await beginSecondFactor.mutateAsync(current_password));
    } catch (error) {
      problem.place(error);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <PasswordInput
          label="Your password"
          description="So that nobody else turns it on at this screen"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps("current_password")}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={beginSecondFactor.isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ConfirmStepProps {
  enrolment: Enrolment;
  onConfirmed: (codes: string[]) => void;
}

function ConfirmStep({ enrolment, onConfirmed }: ConfirmStepProps) {
  const { confirmSecondFactor } = useAccountActions();
  const form = useForm({
    initialValues: { code: "" },
    validate: { code: (value) => (value.trim() ? null : "Enter the code that the app shows") },
  });
  const problem = useProblemForm(form);
  const submit = form.onSubmit(async ({ code }) => {
    problem.clear();
    try {
      onConfirmed((await confirmSecondFactor.mutateAsync(code.trim())).recovery_codes);
    } catch (error) {
      problem.place(error);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <Text size="sm">
          Scan this with an authenticator app (Aegis, 1Password, Google Authenticator and others), or type the secret into
          it. Then enter the code that it shows.
        </Text>
        <Group align="center" justify="center">
          <QrCode rows={enrolment.qr} label="QR code for an authenticator app" />
        </Group>
        <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }} aria-label="Secret" data-secret>
          {enrolment.secret}
        </Code>
        <CodeInput
          data-autofocus
          description="The six digits that the app shows"
          inputMode="numeric"
          {...form.getInputProps("code")}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={confirmSecondFactor.isPending}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
