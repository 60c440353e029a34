import { Anchor, Group, Paper, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { DraftBadge } from "@/ui/DraftBadge";
import { readDraft } from "@/ui/drafts";
import { useIsDraftKept } from "@/ui/useIsDraftKept";
import { parseKeptSet } from "../lib/keptSet";

/** A new set that was begun and not saved, where one would look for it. */
export function CriteriaSetDraftNotice({ keepAs }: { keepAs: string }) {
  const draft = useIsDraftKept(keepAs) ? parseKeptSet(readDraft(keepAs, "browser")) : null;
  if (!draft) return null;
  return (
    <Paper withBorder radius="md" px="md" py="xs" mb="md">
      <Group gap="sm">
        <DraftBadge />
        <Anchor size="sm" fw={550} renderRoot={(props) => <Link to="/build/criteria-sets/new" {...props} />}>
          {draft.name.trim() || "A set without a name yet"}
        </Anchor>
        <Text size="sm" c="dimmed">
          Begun in this browser, not saved yet
        </Text>
      </Group>
    </Paper>
  );
}
