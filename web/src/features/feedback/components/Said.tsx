import { Button, Group, Text } from "@mantine/core";
import type { Decisions } from "../hooks/useDecisions";

/** What was decided last, and what became of each. */
export function Said({ decisions }: { decisions: Decisions }) {
  return (
    <Group gap="xs" mih={28} mt="xs">
      <Text size="sm" role="status">
        {decisions.said}
      </Text>
      {decisions.happened.length > 1 && (
        <Button size="compact-xs" variant="default" onClick={() => decisions.show(true)}>
          What happened to each
        </Button>
      )}
    </Group>
  );
}
