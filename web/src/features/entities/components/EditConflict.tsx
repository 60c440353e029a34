import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import type { Entity } from "@/api/types";
import type { Field } from "@/features/entity_types/lib/fields";
import { ChangedMeanwhile } from "@/ui/ChangedMeanwhile";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { type ConflictRow, conflictRows } from "../lib/conflict";
import { shortValue } from "../lib/values";

interface EditConflictProps {
  base: Entity;
  theirs: Entity;
  title: string;
  changes: ReadonlyMap<string, unknown>;
  fields: readonly Field[];
  busy: boolean;
  onReload: () => void;
  onReapply: () => void;
  onBack: () => void;
}

const columns: Column<ConflictRow>[] = [
  {
    key: "field",
    header: "Field",
    cell: (row) => (
      <Group gap={6}>
        <Text size="sm" fw={550}>
          {row.label}
        </Text>
        {row.clash && <Badge color="red">Both changed it</Badge>}
      </Group>
    ),
  },
  { key: "before", header: "Before", cell: (row) => shortValue(row.before) },
  { key: "theirs", header: "Now", cell: (row) => shortValue(row.theirs) },
  { key: "mine", header: "Yours", cell: (row) => shortValue(row.mine) },
];

/** Somebody else was faster: both versions, and a choice. */
export function EditConflict(props: EditConflictProps) {
  const { base, theirs, title, changes, fields, busy, onReload, onReapply, onBack } = props;
  const rows = conflictRows(base, theirs, title, changes, fields);
  const clashes = rows.filter((row) => row.clash).length;
  return (
    <Stack>
      <ChangedMeanwhile what="record" began={base.version} now={theirs.version}>
        {clashes > 0
          ? "Where both changed a field, applying yours replaces the value that is there now."
          : "You changed other fields than they did: both changes can stand."}
      </ChangedMeanwhile>
      <DataTable label="Both versions" columns={columns} rows={rows} rowKey={(row) => row.key} />
      <Group justify="space-between">
        <Button variant="subtle" color="gray" onClick={onBack}>
          Back to the form
        </Button>
        <Group>
          <Button variant="default" onClick={onReload}>
            Discard mine and reload
          </Button>
          <Button loading={busy} onClick={onReapply}>
            Apply mine on top
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
