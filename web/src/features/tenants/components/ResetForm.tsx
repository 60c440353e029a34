import { Button, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { toProblem } from "@/api/problem";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useReset } from "../hooks/useSession";
import { CodeInput } from "./CodeInput";

/** A new password by a link; whoever has a second factor needs it here as well. */
export function ResetForm({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const reset = useReset();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({
    initialValues: { password: "", repeated: "", code: "" },
    validate: {
      password: (value) => (value ? null : "Choose a password"),
      repeated: (value, values) => (value === values.password ? null : "The two do not match"),
      code: (value) => (!needsCode || value.trim() ? null : "Enter a code"),
    },
  });
  const problem = useProblemForm(form);
  const submit = form.onSubmit(async ({ password, code }) => {
    problem.clear();
    try {
      await reset.mutateAsync({ token, password, ...(needsCode ? { code: code.trim() } : {}) });
      onSignedIn();
    } catch (error) {
      if (toProblem(error).code === "second_factor_needed") setNeedsCode(true);
      else problem.place(error);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <PasswordInput
          label="New password"
          description="A long sentence is better than a short riddle."
          autoComplete="new-password"
          autoFocus
          {...form.getInputProps("password")}
        />
        <PasswordInput
          label="New password, once more"
          autoComplete="new-password"
          {...form.getInputProps("repeated")}
        />
        {needsCode && <CodeInput autoFocus {...form.getInputProps("code")} />}
        <Button type="submit" size="md" loading={reset.isPending}>
          Set password and sign in
        </Button>
      </Stack>
    </form>
  );
}
