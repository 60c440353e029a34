import { Stack, Text } from "@mantine/core";
import type { Task } from "@/api/types";
import { SessionLink } from "@/features/agents/components/SessionLink";
import { SessionStatus } from "@/features/agents/components/SessionsTab";
import { RelativeTime } from "@/ui/RelativeTime";
import { hereZone, scheduleText } from "../lib/schedule";

/** When it runs, when next, and why it did not last time. */
export function TaskSchedule({ task: { schedule, enabled, next_at, problem } }: { task: Task }) {
  return (
    <Stack gap={0}>
      <Text size="sm">{scheduleText(schedule, hereZone())}</Text>
      {schedule && (
        <Text size="xs" c="dimmed">
          {enabled && next_at ? (
            <>
              Next <RelativeTime value={next_at} />
            </>
          ) : (
            "Switched off"
          )}
        </Text>
      )}
      {problem && (
        <Text size="xs" c="var(--mantine-color-error)" maw={320}>
          Did not start <RelativeTime value={problem.at} />: {problem.message}
        </Text>
      )}
    </Stack>
  );
}

export function LastRun({ task: { last_session } }: { task: Task }) {
  if (!last_session) return "Never";
  return (
    <Stack gap={2} align="flex-start">
      <SessionLink id={last_session.id}>
        <RelativeTime value={last_session.created_at} />
      </SessionLink>
      <SessionStatus status={last_session.status} />
    </Stack>
  );
}
