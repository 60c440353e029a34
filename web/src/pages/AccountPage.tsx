import { Button, Paper, Stack, Text, Title } from "@mantine/core";
import { ExitIcon } from "@radix-ui/react-icons";
import { PasswordForm } from "@/features/tenants/components/PasswordForm";
import { useSession, useSignOut } from "@/features/tenants/hooks/useSession";
import { notifyProblem } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function AccountPage() {
  useTitle("Account", "Settings");
  const { user } = useSession();
  const signOut = useSignOut();
  return (
    <Stack gap="lg">
      <PageHeader
        order={2}
        title="Account"
        description={user.name ? `Signed in as ${user.name}, ${user.email}` : `Signed in as ${user.email}`}
      />
      <Paper withBorder radius="lg" p="lg">
        <Title order={3} mb="md">
          Password
        </Title>
        <PasswordForm />
      </Paper>
      <Paper withBorder radius="lg" p="lg">
        <Stack gap="sm" align="flex-start">
          <Title order={3}>This browser</Title>
          <Text size="sm" c="dimmed">
            Signing out ends the session in this browser only.
          </Text>
          <Button
            variant="default"
            leftSection={<ExitIcon />}
            loading={signOut.isPending}
            onClick={() => signOut.mutate(undefined, { onError: (error) => notifyProblem("Still signed in", error) })}
          >
            Sign out
          </Button>
        </Stack>
      </Paper>
    </Stack>
  );
}
