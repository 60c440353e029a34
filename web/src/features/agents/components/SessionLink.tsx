import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SESSION_PAGE } from "../lib/addresses";

export function SessionLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Anchor size="sm" c="inherit" lineClamp={2} renderRoot={(props) => <Link to={SESSION_PAGE} params={{ id }} {...props} />}>
      {children}
    </Anchor>
  );
}
