import { Alert, Button, Group, Text } from "@mantine/core";
import { RelativeTime } from "@/ui/RelativeTime";

interface EdgeMatrixDraftNoticeProps {
  /** When the draft that is shown was kept; null when the form began empty. */
  restoredAt: string | null;
  /** How many of its rows are about records that are no longer connected. */
  gone: number;
  /** False when this browser keeps nothing. */
  isKept: boolean;
  onDiscard: () => void;
}

/** Says that what one sees was begun earlier, and lets one begin anew. */
export function EdgeMatrixDraftNotice({ restoredAt, gone, isKept, onDiscard }: EdgeMatrixDraftNoticeProps) {
  if (!isKept) {
    return (
      <Text size="sm" c="dimmed" role="status">
        This browser keeps no drafts: submit before you leave the page.
      </Text>
    );
  }
  if (restoredAt === null) return null;
  return (
    <Alert color="blue" py={8} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Your unfinished matrix, last changed <RelativeTime value={restoredAt} />. It is kept in this browser only.
          {gone > 0 && ` ${gone === 1 ? "One row is" : `${gone} rows are`} left out: no longer connected.`}
        </Text>
        <Button variant="default" size="compact-sm" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Alert>
  );
}
