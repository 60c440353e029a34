import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { ExitIcon } from "@radix-ui/react-icons";
import type { SignIn } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { EmptyState } from "@/ui/states";
import { useAccountActions, useSignIns } from "../hooks/useAccount";
import { useSignOut } from "../hooks/useSession";
import { deviceName } from "../lib/device";

/** Where somebody is signed in, and the way to end each of it. */
export function SignInsCard() {
  const signIns = useSignIns();
  const { endSignIn, endOthers } = useAccountActions();
  const signOut = useSignOut();
  const leave = () => signOut.mutate(undefined, { onError: (error) => notifyProblem("Still signed in", error) });
  const end = (signIn: SignIn) =>
    endSignIn.mutate(signIn.id, {
      onSuccess: () => notifyDone(`${deviceName(signIn.device)} is signed out.`),
      onError: (error) => notifyProblem("It was not signed out", error),
    });
  const endAll = () =>
    confirmDanger({
      title: "Sign out everywhere else?",
      children: "Every other browser has to sign in again. This one stays signed in.",
      action: "Sign out everywhere else",
      onConfirm: () =>
        endOthers.mutate(undefined, {
          onSuccess: ({ ended }) => notifyDone(`Signed out in ${ended} other ${ended === 1 ? "place" : "places"}.`),
          onError: (error) => notifyProblem("Nothing was signed out", error),
        }),
    });
  return (
    <Paper withBorder radius="lg" p="lg">
      <Stack>
        <div>
          <Title order={3}>Where you are signed in</Title>
          <Text size="sm" c="dimmed">
            If you do not know one of these, end it and change your password.
          </Text>
        </div>
        <PagedRows
          list={signIns}
          what="sign-ins"
          empty={<EmptyState title="Nowhere">This should not happen: you are signed in here.</EmptyState>}
        >
          {(rows) => (
            <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: "none" }} aria-label="Where you are signed in">
              {rows.map((row) => (
                <SignInRow
                  key={row.id}
                  row={row}
                  isEnding={row.is_current ? signOut.isPending : endSignIn.isPending && endSignIn.variables === row.id}
                  onEnd={() => (row.is_current ? leave() : end(row))}
                />
              ))}
            </Stack>
          )}
        </PagedRows>
        <Group>
          <Button variant="default" loading={endOthers.isPending} onClick={endAll}>
            Sign out everywhere else
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

interface SignInRowProps {
  row: SignIn;
  isEnding: boolean;
  onEnd: () => void;
}

function SignInRow({ row, isEnding, onEnd }: SignInRowProps) {
  const device = deviceName(row.device);
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="center">
      <div style={{ minWidth: 0 }}>
        <Group gap={8}>
          <Text size="sm" fw={550} title={row.device}>
            {device}
          </Text>
          {row.is_current && <Badge color="green">This browser</Badge>}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {row.client || "unknown address"}, {row.is_current ? "now" : <RelativeTime value={row.last_seen_at} />}; signed
          in <RelativeTime value={row.created_at} /> {howText(row)}
        </Text>
      </div>
      <Button
        variant="default"
        size="xs"
        leftSection={<ExitIcon />}
        loading={isEnding}
        onClick={onEnd}
        aria-label={row.is_current ? "Sign out of this browser" : `Sign out ${device}`}
        style={{ flexShrink: 0 }}
      >
        Sign out
      </Button>
    </Group>
  );
}

function howText({ method, provider }: SignIn): string {
  if (method === "provider") return `with ${provider}`;
  return method === "link" ? "by a link" : "with a password";
}
