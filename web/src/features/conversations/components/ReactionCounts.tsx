import { Group, Text, VisuallyHidden } from "@mantine/core";
import type { ConversationReactionCounts } from "@/api/types";
import { REACTIONS, REACTION_LOOK } from "../lib/reactions";
import { ReactionIcon } from "./ReactionIcon";

/** How many reacted how; what nobody said is left out. */
export function ReactionCounts({ counts, none = "None" }: { counts: ConversationReactionCounts; none?: string }) {
  if (counts.total === 0) {
    return (
      <Text span size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <Group gap={10} component="span">
      {REACTIONS.filter((reaction) => counts[reaction] > 0).map((reaction) => (
        <Group key={reaction} gap={4} wrap="nowrap" component="span" c={`var(--mantine-color-${REACTION_LOOK[reaction].color}-text)`}>
          <ReactionIcon reaction={reaction} filled />
          <Text span size="sm">
            {counts[reaction].toLocaleString("en")}
            <VisuallyHidden>{` ${REACTION_LOOK[reaction].label}`}</VisuallyHidden>
          </Text>
        </Group>
      ))}
      {counts.machine > 0 && (
        <Text span size="xs" c="dimmed">
          {counts.machine === counts.total ? "by machine" : `${counts.machine.toLocaleString("en")} by machine`}
        </Text>
      )}
    </Group>
  );
}
