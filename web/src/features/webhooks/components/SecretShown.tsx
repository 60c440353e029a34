import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { CopyBox } from "@/ui/CopyBox";

/** A secret, once. */
export function SecretShown({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="gold" title="Copy the secret now">
        It is stored encrypted and never shown again. If it is lost, rotate it.
      </Alert>
      <CopyBox label="Signing secret" autoFocus value={secret} />
      <Text size="sm" c="dimmed">
        The receiver checks by it that a request is ours, as Standard Webhooks has it. Libraries for that take it as it is.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>I have stored it</Button>
      </Group>
    </Stack>
  );
}
