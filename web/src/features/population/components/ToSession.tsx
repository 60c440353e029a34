import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { SESSION_PAGE } from "@/features/agents/lib/addresses";

/** From a line about a session to all that happened in it. */
export function ToSession({ id, children }: { id: string; children: string }) {
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to={SESSION_PAGE} params={{ id } as never} {...props} />}>
      {children}
    </Anchor>
  );
}
