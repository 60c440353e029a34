import { Button, Group, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Entity } from "@/api/types";
import type { Field } from "@/features/entity_types/lib/fields";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import { toCsv } from "@/ui/csv";
import { download } from "@/ui/download";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useEntityActions } from "../hooks/useEntities";
import { toTable } from "../lib/table";

const numbers = new Intl.NumberFormat("en");

export function countRecords(count: number): string {
  return `${numbers.format(count)} ${count === 1 ? "record" : "records"}`;
}

/** Records that something is to be done with. */
export interface Selection {
  count: number;
  /** Whether these are all that match, also those that are not loaded. */
  all: boolean;
  /** Their ids; those of all that match are asked for now. */
  ids: () => Promise<readonly string[]>;
  clear: () => void;
}

interface SelectionBarProps {
  /** Those that are ticked. */
  chosen: readonly Entity[];
  /** Columns of the table that is exported. */
  fields: readonly Field[];
  /** How many match, where not all of them are ticked, and they are not too many to be selected. */
  matching: number | undefined;
  /** Whether all that match are selected, also those that are not loaded. */
  all: boolean;
  onAll: () => void;
  findIds: () => Promise<readonly string[]>;
  exportAll: () => Promise<void>;
  onDone: () => void;
  /** Further acts, of features that know more than records. */
  acts?: ((selection: Selection) => ReactNode) | undefined;
}

/** What can be done with the records that are selected. */
export function SelectionBar(props: SelectionBarProps) {
  const { chosen, fields, matching, all, onAll, findIds, exportAll, onDone, acts } = props;
  const { removeMany } = useEntityActions();
  const canUpdate = useCan()("entities.team.update");
  const [exporting, setExporting] = useState(false);
  const count = all ? (matching ?? chosen.length) : chosen.length;
  const many = countRecords(count);
  const selection: Selection = {
    count,
    all,
    ids: () => (all ? findIds() : Promise.resolve(chosen.map(({ id }) => id))),
    clear: onDone,
  };
  const deleteAll = async (ids: readonly string[]) => {
    try {
      const removed = await removeMany.mutateAsync(ids);
      notifyDone(`${countRecords(removed)} deleted.`);
    } catch (error) {
      notifyProblem("Not all of them were deleted", error);
    }
    onDone();
  };
  // What is deleted is what was there when one was asked, not what matches by then.
  const askToDelete = async () => {
    try {
      const ids = await selection.ids();
      confirmDanger({
        title: `Delete ${countRecords(ids.length)}?`,
        children: "They go with their history, their responses and their relations. This cannot be undone.",
        action: `Delete ${countRecords(ids.length)}`,
        onConfirm: () => void deleteAll(ids),
      });
    } catch (error) {
      notifyProblem("The records could not be listed", error);
    }
  };
  const exportChosen = async () => {
    setExporting(true);
    if (all) await exportAll();
    else download(new Blob([toCsv(toTable(chosen, fields))], { type: "text/csv;charset=utf-8" }), "records.csv");
    setExporting(false);
  };
  return (
    <Group gap="xs" role="group" aria-label="Selected records" mb="xs" mih={30}>
      <Text size="sm" fw={550} role="status">{`${many} selected`}</Text>
      {!all && matching !== undefined && matching > chosen.length && (
        <Button size="xs" variant="subtle" onClick={onAll}>
          {`Select all ${numbers.format(matching)} that match`}
        </Button>
      )}
      <Button size="xs" variant="default" loading={exporting} onClick={() => void exportChosen()}>
        Export selected
      </Button>
      {acts?.(selection)}
      {canUpdate && (
        <Button size="xs" variant="default" c="var(--mantine-color-error)" loading={removeMany.isPending} onClick={() => void askToDelete()}>
          Delete
        </Button>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={onDone}>
        Clear selection
      </Button>
    </Group>
  );
}
