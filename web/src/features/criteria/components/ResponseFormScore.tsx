import { Group, Progress, Stack, Text } from "@mantine/core";
import type { Dimension } from "@/api/types";
import { formatScore, responseScore } from "@/features/entities/lib/score";
import { computeResponseScore, isScored } from "../lib/scoring";
import { type Values, isEmpty } from "../lib/values";

interface ResponseFormScoreProps {
  values: Values;
  dimensions: readonly Dimension[];
}

/** The score that the response will have as it stands. Nothing where the set has none. */
export function ResponseFormScore({ values, dimensions }: ResponseFormScoreProps) {
  const scored = dimensions.filter(isScored);
  if (scored.length === 0) return null;
  const { normalized } = computeResponseScore(values, dimensions);
  const answered = scored.filter(({ key }) => !isEmpty(values[key])).length;
  const open = scored.length === 1 ? "1 answer counts" : `${scored.length} answers count`;
  return (
    <Stack gap={4} miw={190} role="status" aria-label="Score preview">
      <Group gap={8} align="baseline">
        <Text fw={620} size="lg" style={{ fontVariantNumeric: "tabular-nums" }}>
          {normalized === null ? "No score yet" : formatScore(responseScore(normalized))}
        </Text>
        <Text size="xs" c="dimmed">
          {normalized === null ? open : `of 100 · ${answered} of ${scored.length} answered`}
        </Text>
      </Group>
      <Progress.Root size={5} aria-hidden>
        <Progress.Section value={(normalized ?? 0) * 100} color="gold" withAria={false} />
      </Progress.Root>
    </Stack>
  );
}
