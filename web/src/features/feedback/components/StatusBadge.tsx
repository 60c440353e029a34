import { Badge } from "@mantine/core";
import type { FeedbackStatus } from "@/api/types";
import { STATUS_LOOK } from "../lib/words";

export function StatusBadge({ status }: { status: FeedbackStatus }) {
  const { label, color, means } = STATUS_LOOK[status];
  return (
    <Badge component="span" size="sm" color={color} title={means} miw="max-content">
      {label}
    </Badge>
  );
}
