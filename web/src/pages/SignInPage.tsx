import { Anchor, Divider, Text } from "@mantine/core";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { ProviderButtons } from "@/features/tenants/components/ProviderButtons";
import { SignInForm } from "@/features/tenants/components/SignInForm";
import { useSignInOptions } from "@/features/tenants/hooks/useSession";
import { safeNext } from "@/features/tenants/lib/next";
import { useTitle } from "@/ui/useTitle";
import { Outside } from "./Outside";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  useTitle("Sign in");
  const router = useRouter();
  const { next } = route.useSearch();
  const { data: options } = useSignInOptions();
  const [helps, setHelps] = useState(false);
  const passwords = options?.passwords ?? true; // who cannot be asked is not kept from trying
  const providers = options?.providers ?? [];
  return (
    <Outside title="Sign in">
      {providers.length > 0 && <ProviderButtons providers={providers} next={safeNext(next)} />}
      {providers.length > 0 && passwords && <Divider label="or with a password" />}
      {passwords && <SignInForm onSignedIn={() => router.history.push(safeNext(next))} />}
      {passwords && (
        <Text size="sm" c="dimmed">
          {helps ? (
            "Ask an admin of your workspace for a link to a new password; the person who runs this server can make one too."
          ) : (
            <Anchor component="button" type="button" size="sm" onClick={() => setHelps(true)}>
              Forgot your password?
            </Anchor>
          )}
        </Text>
      )}
    </Outside>
  );
}
