import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { toProblem } from "@/api/problem";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useSignIn } from "../hooks/useSession";
import { CodeInput } from "./CodeInput";

interface SignInFormProps {
  onSignedIn: () => void;
}

function waitSentence(seconds: number | null): string {
  if (!seconds) return "";
  const minutes = Math.ceil(seconds / 60);
  return seconds < 90 ? ` Try again in ${seconds} seconds.` : ` Try again in ${minutes} minutes.`;
}

/** An address and a password; then, where the account has a second factor, a code. */
export function SignInForm({ onSignedIn }: SignInFormProps) {
  const signIn = useSignIn();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({
    initialValues: { email: "", password: "", code: "" },
    validate: {
      email: (value) => (value.trim() ? null : "Enter your email address"),
      password: (value) => (value ? null : "Enter your password"),
      code: (value) => (!needsCode || value.trim() ? null : "Enter a code"),
    },
  });
  const problem = useProblemForm(form);
  const problem429 = signIn.error && toProblem(signIn.error).status === 429 ? toProblem(signIn.error) : null;

  const submit = form.onSubmit(async ({ email, password, code }) => {
    problem.clear();
    try {
      await signIn.mutateAsync({ email: email.trim(), password, ...(needsCode ? { code: code.trim() } : {}) });
      onSignedIn();
    } catch (error) {
      if (toProblem(error).code === "second_factor_needed") setNeedsCode(true);
      else problem.place(error);
    }
  });
  const startOver = () => {
    problem.clear();
    setNeedsCode(false);
    form.setValues({ password: "", code: "" });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>
          {problem.head && `${problem.head}${waitSentence(problem429?.retryAfterSeconds ?? null)}`}
        </FormProblem>
        {needsCode ? (
          <>
            <Text size="sm">{`The password of ${form.values.email.trim()} is right. One more step:`}</Text>
            <CodeInput key="code" autoFocus {...form.getInputProps("code")} />
          </>
        ) : (
          <>
            <TextInput
              label="Email"
              type="email"
              name="email"
              autoComplete="username"
              autoFocus
              {...form.getInputProps("email")}
            />
            <PasswordInput
              label="Password"
              name="password"
              autoComplete="current-password"
              {...form.getInputProps("password")}
            />
          </>
        )}
        <Button type="submit" size="md" loading={signIn.isPending}>
          Sign in
        </Button>
        {needsCode && (
          <Button variant="subtle" onClick={startOver}>
            Use another account
          </Button>
        )}
      </Stack>
    </form>
  );
}
