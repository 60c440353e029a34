import { Button, Group, Paper, Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import type { LimitsView, LimitUse } from "@/api/types";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { RelativeTime } from "@/ui/RelativeTime";
import { useLimitActions } from "../hooks/useLimits";
import { describeUse, LIMIT_WORDS, colorOfUse, usedPercent } from "../lib/words";

/** Each limit with what is used and left, and when that begins anew. */
export function LimitUses({ view }: { view: LimitsView }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} component="ul" p={0} m={0} style={{ listStyle: "none" }} aria-label="What is used">
      {view.uses.map((use) => (
        <UseCard key={use.limit} use={use} measuredAt={view.storage?.measured_at ?? null} />
      ))}
    </SimpleGrid>
  );
}

function UseCard({ use, measuredAt }: { use: LimitUse; measuredAt: string | null }) {
  const percent = usedPercent(use);
  return (
    <Paper component="li" withBorder radius="lg" p="md">
      <Stack gap="xs">
        <Text fw={600}>{LIMIT_WORDS[use.limit]}</Text>
        <Text size="sm">{describeUse(use)}</Text>
        {percent !== null && <Progress value={percent} color={colorOfUse(percent)} aria-label={`${LIMIT_WORDS[use.limit]}: ${percent} % used`} />}
        {use.limit === "storage_bytes" ? <Measured at={measuredAt} /> : use.most !== null && <Resets at={use.resets_at} />}
      </Stack>
    </Paper>
  );
}

function Resets({ at }: { at: string | null }) {
  return (
    <Text size="sm" c="dimmed">
      Begins anew <RelativeTime value={at} />
    </Text>
  );
}

function Measured({ at }: { at: string | null }) {
  const { measure } = useLimitActions();
  const ask = () =>
    measure.mutate(undefined, {
      onSuccess: () => notifyDone("It is being measured."),
      onError: (error) => notifyProblem("It is not being measured", error),
    });
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {at ? (
          <>
            Measured <RelativeTime value={at} />
          </>
        ) : (
          "Not measured yet"
        )}
      </Text>
      <Button size="compact-sm" variant="default" loading={measure.isPending} onClick={ask}>
        Measure now
      </Button>
    </Group>
  );
}
