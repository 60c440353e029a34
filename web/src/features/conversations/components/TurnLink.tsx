import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface TurnLinkProps {
  project: string;
  conversation: string;
  turn: string | null;
  label?: string;
  children: ReactNode;
}

/** To a turn where it was said. */
export function TurnLink({ project, conversation, turn, label, children }: TurnLinkProps) {
  return (
    <Anchor
      size="xs"
      underline="always"
      aria-label={label}
      style={{ overflowWrap: "anywhere" }}
      renderRoot={(props) => (
        <Link
          to="/admin/agent-review/conversations/$project/$conversation"
          params={{ project, conversation }}
          search={turn === null ? {} : { turn }}
          state={true} // the way back stays the same
          resetScroll={false}
          {...props}
        />
      )}
    >
      {children}
    </Anchor>
  );
}
