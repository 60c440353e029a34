import { Group, Progress, Stack, Text } from "@mantine/core";
import type { Dimension } from "@/api/types";
import { isScored } from "@/features/criteria/lib/scoring";
import { formatScore, responseScore } from "@/features/entities/lib/score";
import { type Connection, type MatrixValues, scoreMatrix } from "../lib/edgeMatrix";

interface EdgeMatrixScoreProps {
  values: MatrixValues;
  connections: readonly Connection[];
  dimensions: readonly Dimension[];
}

/** How far one has come, and the score that the response will have as it stands. */
export function EdgeMatrixScore({ values, connections, dimensions }: EdgeMatrixScoreProps) {
  const { normalized, rated } = scoreMatrix(values, connections, dimensions);
  const progress = `${rated} of ${connections.length} rated`;
  if (!dimensions.some(isScored)) {
    return (
      <Text size="sm" c="dimmed" role="status" aria-label="Progress">
        {progress}
      </Text>
    );
  }
  return (
    <Stack gap={4} miw={190} role="status" aria-label="Score preview">
      <Group gap={8} align="baseline">
        <Text fw={620} size="lg" style={{ fontVariantNumeric: "tabular-nums" }}>
          {normalized === null ? "No score yet" : formatScore(responseScore(normalized))}
        </Text>
        <Text size="xs" c="dimmed">
          {normalized === null ? progress : `of 100 · ${progress}`}
        </Text>
      </Group>
      <Progress.Root size={5} aria-hidden>
        <Progress.Section value={(normalized ?? 0) * 100} color="gold" withAria={false} />
      </Progress.Root>
    </Stack>
  );
}
