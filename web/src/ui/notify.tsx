import { Button, Group, Kbd } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { toProblem } from "@/api/problem";
import { localId } from "./localId";

export function notifyDone(message: string): void {
  notifications.show({ color: "green", message });
}

const UNDO_MS = 10_000; // long enough to read it, think again and get there by Tab

/** What was done, and a way back from it for a while; `hint` is the key that does the same. Answers with what takes the
 * message away, for whoever went back by another way. */
export function notifyUndoable(message: string, onUndo: () => void, hint?: string): () => void {
  const id = `undo-${localId()}`;
  const undo = () => {
    notifications.hide(id);
    onUndo();
  };
  notifications.show({
    id,
    color: "green",
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <span>{message}</span>
        <Button
          size="compact-sm"
          variant="default"
          style={{ flexShrink: 0 }}
          rightSection={
            hint && (
              <Kbd size="xs" aria-hidden>
                {hint}
              </Kbd>
            )
          }
          onClick={undo}
        >
          Undo
        </Button>
      </Group>
    ),
  });
  return () => notifications.hide(id);
}

export function notifyProblem(title: string, error: unknown): void {
  notifications.show({ color: "red", title, message: toProblem(error).message, autoClose: 10_000 });
}
