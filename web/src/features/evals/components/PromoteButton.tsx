import { Button } from "@mantine/core";
import { StarFilledIcon, StarIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { AgentSession } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { goldenSetOf, isReplay } from "../lib/sessions";
import { PromoteDialog } from "./PromoteDialog";

/** On a session: what makes it golden, or leads to the set that it is golden in. Nothing where it can be none. */
export function PromoteButton({ session }: { session: Pick<AgentSession, "id" | "status" | "metadata"> }) {
  const can = useCan();
  const set = goldenSetOf(session);
  const [opened, setOpened] = useState(false);
  if (set !== null) {
    if (!can("evals.team.review")) return null;
    return (
      <Button
        variant="default"
        leftSection={<StarFilledIcon />}
        renderRoot={(props) => <Link to="/admin/agent-review/evals" search={{ set }} {...props} />}
      >
        Golden in {set}
      </Button>
    );
  }
  if (!can("evals.team.manage") || session.status !== "completed" || isReplay(session)) return null;
  return (
    <>
      <Button variant="default" leftSection={<StarIcon />} onClick={() => setOpened(true)}>
        Promote to golden
      </Button>
      <PromoteDialog sessionId={opened ? session.id : null} onClose={() => setOpened(false)} />
    </>
  );
}

/** On a turn of a conversation, whose session becomes golden. */
export function PromoteTurnButton({ sessionId }: { sessionId: string }) {
  const may = useCan()("evals.team.manage");
  const [opened, setOpened] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button size="compact-xs" variant="subtle" color="gray" leftSection={<StarIcon />} aria-label="Promote the session of this turn to golden" onClick={() => setOpened(true)}>
        Golden
      </Button>
      <PromoteDialog sessionId={opened ? sessionId : null} onClose={() => setOpened(false)} />
    </>
  );
}
