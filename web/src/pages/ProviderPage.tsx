import { Anchor, Center, Loader, Text } from "@mantine/core";
import { Link, getRouteApi, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { toProblem } from "@/api/problem";
import { useFinishSignIn } from "@/features/tenants/hooks/useSession";
import { forgetInvite } from "@/features/tenants/lib/invite";
import { safeNext } from "@/features/tenants/lib/next";
import { readProviderAnswer } from "@/features/tenants/lib/providerAnswer";
import { chooseWorkspace } from "@/features/tenants/lib/workspaceChoice";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";
import { Outside } from "./Outside";

const route = getRouteApi("/sign-in/$provider");

/** Where a sign-in provider sends the browser back to: what it sent is given to the server, once. */
export function ProviderPage() {
  useTitle("Sign in");
  const router = useRouter();
  const { provider } = route.useParams();
  const [answer] = useState(() => readProviderAnswer(window.location.search));
  const finish = useFinishSignIn();
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!answer || hasBegun.current) return;
    hasBegun.current = true; // what is good once must not be sent twice
    finish.mutate(
      { provider, ...answer },
      {
        onSuccess: ({ session, next }) => {
          if (session?.joined) {
            chooseWorkspace(session.joined);
            forgetInvite();
          }
          if (!session) notifyDone("The account is linked.");
          router.history.replace(safeNext(next));
        },
      },
    );
  }, [answer, finish, provider, router]);

  if (answer && !finish.error) {
    return (
      <Outside title="Signing in">
        <Center>
          <Loader aria-label="Signing in" />
        </Center>
      </Outside>
    );
  }
  return (
    <Outside title="You are not signed in">
      <FormProblem>
        {finish.error ? toProblem(finish.error).message : "This address is where a sign-in comes back to. Begin at the sign-in page."}
      </FormProblem>
      <Text size="sm">
        <Anchor component={Link} to="/sign-in">
          Back to sign-in
        </Anchor>
      </Text>
    </Outside>
  );
}
