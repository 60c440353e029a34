import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { toProblem } from "@/api/problem";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useSignIn } from "../hooks/useSession";

interface SignInFormProps {
  onSignedIn: () => void;
}

function waitSentence(seconds: number | null): string {
  if (!seconds) return "";
  const minutes = Math.ceil(seconds / 60);
  return seconds < 90 ? ` Try again in ${seconds} seconds.` : ` Try again in ${minutes} minutes.`;
}

export function SignInForm({ onSignedIn }: SignInFormProps) {
  const signIn = useSignIn();
  const form = useForm({
    initialValues: { email: "", password: "" },
    validate: {
      email: (value) => (value.trim() ? null : "Enter your email address"),
      password: (value) => (value ? null : "Enter your password"),
    },
  });
  const problem = useProblemForm(form);
  const problem429 = signIn.error && toProblem(signIn.error).status === 429 ? toProblem(signIn.error) : null;

  const submit = form.onSubmit(async ({ email, password }) => {
    problem.clear();
    try {
      await signIn.mutateAsync({ email: email.trim(), password });
      onSignedIn();
    } catch (error) {
      problem.place(error);
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>
          {problem.head && `${problem.head}${waitSentence(problem429?.retryAfterSeconds ?? null)}`}
        </FormProblem>
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
        <Button type="submit" size="md" loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
