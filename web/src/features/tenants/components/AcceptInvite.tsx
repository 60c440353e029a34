import { Button, Stack, Text } from "@mantine/core";
import { toProblem } from "@/api/problem";
import type { Session } from "@/api/types";
import { notifyProblem } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useAcceptInvite, useSignOut } from "../hooks/useSession";

interface AcceptInviteProps {
  token: string;
  email: string;
  onJoined: (session: Session) => void;
  onSignedOut: () => void;
}

/** For somebody who is signed in: one press, if the invitation is theirs. */
export function AcceptInvite({ token, email, onJoined, onSignedOut }: AcceptInviteProps) {
  const accept = useAcceptInvite();
  const signOut = useSignOut({ stay: true });
  const problem = accept.error && toProblem(accept.error);

  if (problem?.code === "invite_for_another") {
    return (
      <Stack>
        <FormProblem>
          {`This link is for another address than ${email}. Sign out, then open it as the person it was made for.`}
        </FormProblem>
        <Button
          size="md"
          loading={signOut.isPending}
          onClick={() =>
            signOut.mutateAsync().then(onSignedOut, (error: unknown) => notifyProblem("Still signed in", error))
          }
        >
          Sign out
        </Button>
      </Stack>
    );
  }
  return (
    <Stack>
      <FormProblem>{problem?.message}</FormProblem>
      <Button
        size="md"
        loading={accept.isPending}
        onClick={() =>
          accept.mutateAsync(token).then(onJoined, (error: unknown) => {
            if (toProblem(error).status === 401) onSignedOut();
          })
        }
        styles={{ label: { overflow: "hidden", textOverflow: "ellipsis" } }}
      >
        {`Join as ${email}`}
      </Button>
      <Text size="sm" c="dimmed">
        You are signed in with this account.
      </Text>
    </Stack>
  );
}
