import { Group, Progress, Text } from "@mantine/core";
import type { Satisfaction } from "@/api/types";
import { REACTIONS, REACTION_LOOK } from "../lib/reactions";
import { ReactionIcon } from "./ReactionIcon";

/** How the reactions fall to the three kinds; the bar says nothing that the words do not. */
export function ReactionShares({ counts }: { counts: Pick<Satisfaction, "ok" | "neutral" | "not_ok" | "total"> }) {
  return (
    <>
      <Progress.Root size={8} radius="xl" aria-hidden style={{ background: "var(--gl-line)" }}>
        {REACTIONS.map((reaction) => (
          <Progress.Section
            key={reaction}
            value={counts.total === 0 ? 0 : (100 * counts[reaction]) / counts.total}
            color={`var(--mantine-color-${REACTION_LOOK[reaction].color}-text)`}
            withAria={false}
          />
        ))}
      </Progress.Root>
      <Group gap="md" mt={6}>
        {REACTIONS.map((reaction) => (
          <Group key={reaction} gap={5} wrap="nowrap" c={`var(--mantine-color-${REACTION_LOOK[reaction].color}-text)`}>
            <ReactionIcon reaction={reaction} filled />
            <Text span size="xs" c="var(--mantine-color-text)">
              {counts[reaction].toLocaleString("en")} {REACTION_LOOK[reaction].label}
            </Text>
          </Group>
        ))}
      </Group>
    </>
  );
}
