import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyBox } from "@/ui/CopyBox";

/** Shown once: whoever loses the telephone comes in by one of them. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        Keep these where you find them without your telephone. Each is good once in place of a code. They are shown only
        this once, and those before do not work any more.
      </Text>
      <CopyBox label="Recovery codes" autoFocus value={codes.join("\n")} />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have kept them</Button>
      </Group>
    </Stack>
  );
}
