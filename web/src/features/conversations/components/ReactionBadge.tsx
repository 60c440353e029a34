import { Badge } from "@mantine/core";
import type { Reaction } from "@/api/types";
import { REACTION_LOOK } from "../lib/reactions";
import { ReactionIcon } from "./ReactionIcon";

export function ReactionBadge({ reaction }: { reaction: Reaction }) {
  const { label, color } = REACTION_LOOK[reaction];
  return (
    <Badge color={color} leftSection={<ReactionIcon reaction={reaction} filled />}>
      {label}
    </Badge>
  );
}
