import { Group, Progress, Text } from "@mantine/core";
import { ScoreBadge } from "./ScoreBadge";

interface ScoreMeterProps {
  score: number | null;
  width?: number;
}

/** A score as a number and as a length; the bar repeats the badge and is not read out. */
export function ScoreMeter({ score, width = 96 }: ScoreMeterProps) {
  if (score === null) {
    return (
      <Text span size="xs" c="dimmed">
        No score
      </Text>
    );
  }
  return (
    <Group gap={10} wrap="nowrap">
      <Progress.Root size={6} w={width} radius="xl" aria-hidden style={{ background: "var(--gl-line)", flex: "none" }}>
        <Progress.Section value={score} color="var(--gl-accent)" withAria={false} />
      </Progress.Root>
      <ScoreBadge score={score} />
    </Group>
  );
}
