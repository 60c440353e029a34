import { Paper, Stack, Title } from "@mantine/core";
import { LinkedAccountsCard } from "@/features/tenants/components/LinkedAccountsCard";
import { PasswordForm } from "@/features/tenants/components/PasswordForm";
import { SecondFactorCard } from "@/features/tenants/components/SecondFactorCard";
import { SignInsCard } from "@/features/tenants/components/SignInsCard";
import { useAccount } from "@/features/tenants/hooks/useAccount";
import { useSession, useSignInOptions } from "@/features/tenants/hooks/useSession";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function AccountPage() {
  useTitle("Account", "Settings");
  const { user } = useSession();
  const account = useAccount();
  const { data: options } = useSignInOptions();
  const passwords = options?.passwords ?? true;
  return (
    <Stack gap="lg">
      <PageHeader
        order={2}
        title="Account"
        description={user.name ? `Signed in as ${user.name}, ${user.email}` : `Signed in as ${user.email}`}
      />
      <Loaded query={account} what="your account">
        {(data) => (
          <>
            {data.has_password && passwords && (
              <>
                <Paper withBorder radius="lg" p="lg">
                  <Title order={3} mb="md">
                    Password
                  </Title>
                  <PasswordForm />
                </Paper>
                <SecondFactorCard account={data} />
              </>
            )}
            {(data.identities.length > 0 || (options?.providers ?? []).length > 0) && (
              <LinkedAccountsCard account={data} providers={options?.providers ?? []} />
            )}
          </>
        )}
      </Loaded>
      <SignInsCard />
    </Stack>
  );
}
