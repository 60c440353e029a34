import { Button, Kbd, Menu } from "@mantine/core";
import { CheckIcon, Cross2Icon, PersonIcon, ResetIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import type { EntityResponse } from "@/api/types";
import type { ReviewQueueState } from "../hooks/useReviewQueue";
import type { QueueAct } from "../lib/queueKeys";
import { ReviewerItems } from "./ReviewerItems";
import classes from "./queue.module.css";

interface QueueActsProps {
  queue: ReviewQueueState;
  response: EntityResponse;
}

/** What the keys do, for whoever has none at hand. */
export function QueueActs({ queue, response }: QueueActsProps) {
  const { ticked, waiting } = queue;
  const some = ticked.length < waiting.length;
  return (
    <div className={classes.acts}>
      <Act queue={queue} act="promote" letter="p" look="filled" icon={<CheckIcon />}>
        {waiting.length > 1 ? `Promote ${ticked.length}` : "Promote"}
      </Act>
      {some && (
        <Act queue={queue} act="promoteAll" letter="P">
          Promote all {waiting.length}
        </Act>
      )}
      <Act queue={queue} act="reject" letter="r" icon={<Cross2Icon />}>
        Reject
      </Act>
      <Act queue={queue} act="skip" letter="s">
        Skip
      </Act>
      <Act queue={queue} act="undo" letter="u" icon={<ResetIcon />}>
        Undo
      </Act>
      <AssignMenu queue={queue} response={response} />
    </div>
  );
}

interface ActProps {
  queue: ReviewQueueState;
  act: QueueAct;
  letter: string;
  look?: "filled" | "default";
  icon?: ReactNode;
  children: ReactNode;
}

/** What cannot be done now says why when it is tried. */
function Act({ queue, act, letter, look = "default", icon, children }: ActProps) {
  const why = queue.whyNot(act);
  return (
    <Button
      size="xs"
      variant={look}
      leftSection={icon}
      rightSection={
        <Kbd size="xs" visibleFrom="sm" aria-hidden>
          {letter}
        </Kbd>
      }
      data-disabled={why !== null || undefined}
      aria-disabled={why !== null}
      title={why ?? undefined}
      onClick={() => queue.act(act, queue.keys.at?.key ?? null)}
    >
      {children}
    </Button>
  );
}

function AssignMenu({ queue, response }: QueueActsProps) {
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button size="xs" variant="subtle" color="gray" leftSection={<PersonIcon />}>
          Assign
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Assignees queue={queue} response={response} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Assignees({ queue, response }: QueueActsProps) {
  const why = queue.whyNot("assign");
  if (why) return <Menu.Label>{why}</Menu.Label>;
  return <ReviewerItems current={response.assigned_to?.id ?? null} onChoose={queue.assignTo} />;
}
