import { Anchor, Divider, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import type { Session } from "@/api/types";
import { AcceptInvite } from "@/features/tenants/components/AcceptInvite";
import { JoinForm } from "@/features/tenants/components/JoinForm";
import { ProviderButtons } from "@/features/tenants/components/ProviderButtons";
import { useSignInOptions } from "@/features/tenants/hooks/useSession";
import { forgetInvite, keptInvite, readInviteToken } from "@/features/tenants/lib/invite";
import { sessionQuery } from "@/features/tenants/lib/sessionQuery";
import { chooseWorkspace } from "@/features/tenants/lib/workspaceChoice";
import { useTitle } from "@/ui/useTitle";
import { Outside } from "./Outside";

export function JoinPage() {
  useTitle("Join");
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // As it was when they came: after joining, this page must not change on its way out.
  const [session, setSession] = useState(() => queryClient.getQueryData(sessionQuery.queryKey));
  const linked = useRouterState({ select: (state) => readInviteToken(state.location.hash) });
  const token = linked ?? keptInvite();
  const { data: options } = useSignInOptions();
  const passwords = options?.passwords ?? true;
  const providers = options?.providers ?? [];
  const enter = ({ joined }: Session) => {
    if (joined) chooseWorkspace(joined);
    forgetInvite();
    void navigate({ to: "/", replace: true });
  };
  if (!token) {
    return (
      <Outside title="This link is not complete">
        <Text size="sm">
          An invitation link ends in a long token, and this one has none. Copy the whole link, or ask for a new one.
        </Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          Sign in instead
        </Anchor>
      </Outside>
    );
  }
  if (session) {
    return (
      <Outside title="Join the workspace" lead="You have been invited.">
        <AcceptInvite token={token} email={session.user.email} onJoined={enter} onSignedOut={() => setSession(null)} />
      </Outside>
    );
  }
  return (
    <Outside
      title="Join the workspace"
      lead={passwords ? "You have been invited. Choose your name and a password." : "You have been invited."}
    >
      {providers.length > 0 && <ProviderButtons providers={providers} inviteToken={token} />}
      {providers.length > 0 && passwords && <Divider label="or with a password" />}
      {passwords && <JoinForm token={token} onJoined={enter} />}
    </Outside>
  );
}
