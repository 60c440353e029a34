import { Button, Group, Kbd, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";

const SHOWN_MS = 10_000; // time to read it, think, and reach for the mouse

interface UndoToast {
  message: string;
  /** The key that does the same. */
  hint?: string;
  onUndo: () => void;
}

/** Says what was done, with a way back. */
export function notifyUndo({ message, hint, onUndo }: UndoToast): void {
  const id = notifications.show({
    color: "green",
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          rightSection={hint && <Kbd size="xs">{hint}</Kbd>}
          style={{ flexShrink: 0 }}
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
