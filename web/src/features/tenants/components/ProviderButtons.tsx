import { Button, Stack } from "@mantine/core";
import { toProblem } from "@/api/problem";
import type { SignInOptions } from "@/api/types";
import { FormProblem } from "@/ui/states";
import { useGoToProvider } from "../hooks/useSession";

interface ProviderButtonsProps {
  providers: SignInOptions["providers"];
  next?: string;
  inviteToken?: string;
}

/** Each leads to the sign-in of a provider, and back here. */
export function ProviderButtons({ providers, next, inviteToken }: ProviderButtonsProps) {
  const go = useGoToProvider();
  return (
    <Stack gap="xs">
      <FormProblem>{go.error && toProblem(go.error).message}</FormProblem>
      {providers.map(({ name, label }) => (
        <Button
          key={name}
          variant="default"
          size="md"
          loading={go.isPending && go.variables.provider === name}
          disabled={go.isPending}
          onClick={() =>
            go.mutate({ provider: name, ...(next ? { next } : {}), ...(inviteToken ? { invite_token: inviteToken } : {}) })
          }
        >
          {`Continue with ${label}`}
        </Button>
      ))}
    </Stack>
  );
}
