import { Badge, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { ReactionRow } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import { gateOf, isMember, sureness } from "../lib/reactions";
import { MachineReason } from "./MachineReason";
import { ReactionBadge } from "./ReactionBadge";
import classes from "./conversations.module.css";

const SHOWN = 5; // of an answer that many reacted to

interface ReactionListProps {
  project: string;
  conversation: string;
  rows: readonly ReactionRow[];
  nameOf: (row: ReactionRow) => string;
}

/** What others and machines thought of an answer. */
export function ReactionList({ project, conversation, rows, nameOf }: ReactionListProps) {
  const [all, setAll] = useState(false);
  if (rows.length === 0) return null;
  const shown = all || rows.length <= SHOWN + 1 ? rows : rows.slice(0, SHOWN);
  return (
    <>
      <ul className={classes.reactions} aria-label="Reactions">
        {shown.map((row) => (
          <li key={row.id}>
            <ReactionItem project={project} conversation={conversation} row={row} nameOf={nameOf} />
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <Group className={classes.log}>
          <Button variant="default" size="compact-xs" onClick={() => setAll(true)}>
            Show all {rows.length.toLocaleString("en")} reactions
          </Button>
        </Group>
      )}
    </>
  );
}

interface ReactionItemProps extends Omit<ReactionListProps, "rows"> {
  row: ReactionRow;
}

function ReactionItem({ project, conversation, row, nameOf }: ReactionItemProps) {
  const said = row.payload.reaction;
  const gate = gateOf(row);
  return (
    <>
      <Group gap={8}>
        <ReactionBadge reaction={said.reaction} />
        {said.origin === "machine" ? (
          <>
            <Badge color="blue">Read by machine</Badge>
            <Text span size="xs" c="dimmed">
              {sureness(said.confidence)}
            </Text>
          </>
        ) : (
          <>
            <Text span size="xs" className={classes.id}>
              {nameOf(row)}
            </Text>
            {isMember(row) && <Badge color="gray">Member</Badge>}
          </>
        )}
        <Text span size="xs" c="dimmed">
          <RelativeTime value={said.ts} />
        </Text>
      </Group>
      {gate ? (
        <MachineReason
          project={project}
          conversation={conversation}
          gate={gate}
          message={said.text}
          confidence={said.confidence}
          target={row.turn_id}
        />
      ) : (
        said.text && (
          <Text size="sm" className={classes.comment}>
            {said.text}
          </Text>
        )
      )}
    </>
  );
}
