import { Anchor, Text } from "@mantine/core";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { JoinForm } from "@/features/tenants/components/JoinForm";
import { readInviteToken } from "@/features/tenants/lib/invite";
import { useTitle } from "@/ui/useTitle";
import { Outside } from "./Outside";

export function JoinPage() {
  useTitle("Join");
  const navigate = useNavigate();
  const token = useRouterState({ select: (state) => readInviteToken(state.location.hash) });
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
  return (
    <Outside title="Join the workspace" lead="You have been invited. Choose your name and a password.">
      <JoinForm token={token} onJoined={() => void navigate({ to: "/", replace: true })} />
    </Outside>
  );
}
