import { Badge } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Entity } from "@/api/types";
import { waitingCount, waitingText } from "../lib/waiting";

interface WaitingBadgeProps {
  entity: Pick<Entity, "id" | "waiting">;
  /** In words, where nothing beside it says what waits. */
  long?: boolean;
}

/** How many responses to a record wait for review, and the way to them; nothing where none does. */
export function WaitingBadge({ entity, long = false }: WaitingBadgeProps) {
  if (entity.waiting === 0) return null;
  const text = waitingText(entity.waiting);
  return (
    <Badge
      color="blue"
      style={{ cursor: "pointer" }}
      aria-label={text}
      renderRoot={(props) => (
        <Link to="/records/$id" params={{ id: entity.id }} search={{ tab: "responses" }} {...props} />
      )}
    >
      {long ? text : waitingCount(entity.waiting)}
    </Badge>
  );
}
