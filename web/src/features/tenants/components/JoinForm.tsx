import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { toProblem } from "@/api/problem";
import type { Session } from "@/api/types";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useJoin } from "../hooks/useSession";
import { keepInvite } from "../lib/invite";

interface JoinFormProps {
  token: string;
  onJoined: (session: Session) => void;
}

/** For somebody who has no account yet. */
export function JoinForm({ token, onJoined }: JoinFormProps) {
  const join = useJoin();
  const form = useForm({
    initialValues: { name: "", password: "" },
    validate: {
      name: (value) => (value.trim() ? null : "Enter the name your colleagues will see"),
      password: (value) => (value ? null : "Choose a password"),
    },
  });
  const problem = useProblemForm(form);
  const hasAccount = join.error !== null && toProblem(join.error).code === "account_exists";

  const submit = form.onSubmit(async ({ name, password }) => {
    problem.clear();
    try {
      onJoined(await join.mutateAsync({ token, name: name.trim(), password }));
    } catch (error) {
      problem.place(error);
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {hasAccount ? (
          <Alert color="gold" role="alert" title="You already have an account">
            <SignInLink token={token}>Sign in and you will join</SignInLink>
          </Alert>
        ) : (
          <FormProblem>{problem.head}</FormProblem>
        )}
        <TextInput label="Your name" name="name" autoComplete="name" autoFocus {...form.getInputProps("name")} />
        <PasswordInput
          label="Password"
          description="A long sentence is better than a short riddle."
          name="password"
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <Button type="submit" size="md" loading={join.isPending}>
          Join workspace
        </Button>
        {!hasAccount && (
          <Text size="sm" c="dimmed">
            Already have an account? <SignInLink token={token}>Sign in first</SignInLink>
          </Text>
        )}
      </Stack>
    </form>
  );
}

/** The token waits in this tab: an address may be seen by others. */
function SignInLink({ token, children }: { token: string; children: ReactNode }) {
  return (
    <Anchor
      size="sm"
      underline="always"
      onClick={() => keepInvite(token)}
      renderRoot={(props) => <Link {...props} to="/sign-in" search={{ next: "/join" }} />}
    >
      {children}
    </Anchor>
  );
}
