import { Badge, Group, Text } from "@mantine/core";
import type { ReactionRow } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import { gateOf, sureness } from "../lib/reactions";
import { MachineReason } from "./MachineReason";
import { ReactionBadge } from "./ReactionBadge";
import classes from "./conversations.module.css";

interface ReactionListProps {
  project: string;
  conversation: string;
  rows: readonly ReactionRow[];
  nameOf: (row: ReactionRow) => string;
}

/** What others and machines thought of an answer. */
export function ReactionList({ project, conversation, rows, nameOf }: ReactionListProps) {
  if (rows.length === 0) return null;
  return (
    <ul className={classes.reactions} aria-label="Reactions">
      {rows.map((row) => (
        <li key={row.id}>
          <ReactionItem project={project} conversation={conversation} row={row} nameOf={nameOf} />
        </li>
      ))}
    </ul>
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
          <Text span size="xs" className={classes.id}>
            {nameOf(row)}
          </Text>
        )}
        <Text span size="xs" c="dimmed">
          <RelativeTime value={said.ts} />
        </Text>
      </Group>
      {gate ? (
        <MachineReason project={project} conversation={conversation} gate={gate} message={said.text} target={row.turn_id} />
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
