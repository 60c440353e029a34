import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { toProblem } from "@/api/problem";
import type { Session } from "@/api/types";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useJoin } from "../hooks/useSession";
import { keepInvite } from "../lib/invite";
import { CodeInput } from "./CodeInput";

interface JoinFormProps {
  token: string;
  onJoined: (session: Session) => void;
}

/** For somebody who is not signed in: the password of an account of theirs joins with it, another makes a new one. */
export function JoinForm({ token, onJoined }: JoinFormProps) {
  const join = useJoin();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({
    initialValues: { name: "", password: "", code: "" },
    validate: {
      name: (value) => (value.trim() ? null : "Enter the name your colleagues will see"),
      password: (value) => (value ? null : "Choose a password"),
      code: (value) => (!needsCode || value.trim() ? null : "Enter a code"),
    },
  });
  const problem = useProblemForm(form);

  const submit = form.onSubmit(async ({ name, password, code }) => {
    problem.clear();
    try {
      const given = needsCode ? { code: code.trim() } : {};
      onJoined(await join.mutateAsync({ token, name: name.trim(), password, ...given }));
    } catch (error) {
      if (toProblem(error).code === "second_factor_needed") setNeedsCode(true);
      else problem.place(error);
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <TextInput label="Your name" name="name" autoComplete="name" autoFocus {...form.getInputProps("name")} />
        <PasswordInput
          label="Password"
          description="A long sentence is better than a short riddle."
          name="password"
          autoComplete="current-password" // a made-up one would make a second account of who has one
          {...form.getInputProps("password")}
        />
        {needsCode && <CodeInput autoFocus {...form.getInputProps("code")} />}
        <Button type="submit" size="md" loading={join.isPending}>
          Join workspace
        </Button>
        <Text size="sm" c="dimmed">
          Already have an account for this address? Enter its password above, or{" "}
          <SignInLink token={token}>sign in first</SignInLink>. Another password makes a new account.
        </Text>
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
