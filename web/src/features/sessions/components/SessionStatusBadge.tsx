import { Badge } from "@mantine/core";
import type { SessionStatus } from "@/api/types";
import { SESSION_STATUS } from "../lib/status";
import classes from "./sessions.module.css";

/** How a session stands; what is under way beats. */
export function SessionStatusBadge({ status }: { status: SessionStatus }) {
  const { label, color } = SESSION_STATUS[status];
  return (
    <Badge component="span" color={color} miw="max-content" leftSection={status === "running" && <span className={classes.beat} aria-hidden />}>
      {label}
    </Badge>
  );
}
