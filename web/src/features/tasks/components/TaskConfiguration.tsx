import { Group, Stack, Text } from "@mantine/core";
import type { Task } from "@/api/types";
import { configFacts } from "../lib/tasks";

/** What a task does, as its kind has it. */
export function TaskConfiguration({ task }: { task: Task }) {
  return (
    <Stack component="dl" gap={6} m={0}>
      {configFacts(task).map(({ label, text }) => (
        <Group key={label} gap="sm" align="baseline" wrap="nowrap">
          <Text component="dt" size="sm" c="dimmed" w={110} style={{ flexShrink: 0 }}>
            {label}
          </Text>
          <Text component="dd" size="sm" m={0} lineClamp={8} style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {text}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
