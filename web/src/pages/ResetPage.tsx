import { Anchor, Text } from "@mantine/core";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { ResetForm } from "@/features/tenants/components/ResetForm";
import { readInviteToken } from "@/features/tenants/lib/invite";
import { useTitle } from "@/ui/useTitle";
import { Outside } from "./Outside";

export function ResetPage() {
  useTitle("New password");
  const navigate = useNavigate();
  const linked = useRouterState({ select: (state) => readInviteToken(state.location.hash) });
  const [token] = useState(linked); // after it was used, this page must not change on its way out
  if (!token) {
    return (
      <Outside title="This link is not complete">
        <Text size="sm">The link ends in a long token, and this one has none. Copy the whole link, or ask for a new one.</Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          Sign in instead
        </Anchor>
      </Outside>
    );
  }
  return (
    <Outside title="Choose a new password" lead="Everywhere else you are signed out by this.">
      <ResetForm token={token} onSignedIn={() => void navigate({ to: "/", replace: true })} />
    </Outside>
  );
}
