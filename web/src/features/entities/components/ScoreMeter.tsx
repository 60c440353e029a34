import { Group, Progress, Text } from "@mantine/core";
import { ScoreBadge } from "./ScoreBadge";

interface ScoreMeterProps {
  score: number | null;
  /** The criteria set that the score is of. */
  set?: string | undefined;
  width?: number;
}

/** A score as a number and as a length; the bar repeats the badge and is not read out. */
export function ScoreMeter({ score, set, width = 96 }: ScoreMeterProps) {
  if (score === null) {
    return (
      <Text span size="xs" c="dimmed">
        No score
      </Text>
    );
  }
  return (
    <Group gap={10} wrap="nowrap" miw={0}>
      {set && (
        <Text span size="xs" c="dimmed" truncate maw={200} title={set}>
          {set}
        </Text>
      )}
      <Progress.Root size={6} w={width} radius="xl" aria-hidden style={{ background: "var(--gl-line)", flex: "none" }}>
        <Progress.Section value={score} color="var(--gl-accent)" withAria={false} />
      </Progress.Root>
      <ScoreBadge score={score} label={set ? `Score of ${set}:` : "Score"} />
    </Group>
  );
}
