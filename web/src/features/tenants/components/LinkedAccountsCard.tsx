import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Account, SignInOptions } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useAccountActions } from "../hooks/useAccount";

interface LinkedAccountsCardProps {
  account: Account;
  providers: SignInOptions["providers"];
}

/** Who somebody is at sign-in providers. */
export function LinkedAccountsCard({ account, providers }: LinkedAccountsCardProps) {
  const { link, unlink } = useAccountActions();
  return (
    <Paper withBorder radius="lg" p="lg">
      <Stack>
        <div>
          <Title order={3}>Linked accounts</Title>
          <Text size="sm" c="dimmed">
            With a linked account you sign in here by signing in there.
          </Text>
        </div>
        {account.identities.map((identity) => (
          <Group key={identity.id} justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={550}>
                {identity.label}
              </Text>
              <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
                {identity.email}, used <RelativeTime value={identity.last_used_at} />
              </Text>
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={`Unlink ${identity.label}`}
              loading={unlink.isPending && unlink.variables === identity.id}
              onClick={() =>
                unlink.mutate(identity.id, {
                  onSuccess: () => notifyDone(`${identity.label} is not linked any more.`),
                  onError: (error) => notifyProblem("It stays linked", error),
                })
              }
            >
              Unlink
            </Button>
          </Group>
        ))}
        {account.identities.length === 0 && <Text size="sm">None yet.</Text>}
        <Group>
          {providers.map(({ name, label }) => (
            <Button
              key={name}
              variant="default"
              loading={link.isPending && link.variables === name}
              onClick={() => link.mutate(name, { onError: (error) => notifyProblem("Nothing was linked", error) })}
            >
              {`Link ${label}`}
            </Button>
          ))}
        </Group>
      </Stack>
    </Paper>
  );
}
