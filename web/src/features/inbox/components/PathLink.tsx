import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";

/** A way to a page whose address the server says. */
export function PathLink({ path, children }: { path: string; children: ReactNode }) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return; // into a tab of its own
    event.preventDefault();
    void navigate({ href: path });
  };
  return (
    <Button component="a" href={path} size="xs" onClick={follow}>
      {children}
    </Button>
  );
}
