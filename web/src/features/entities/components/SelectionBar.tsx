import { Button, Group, Text } from "@mantine/core";
import type { Entity } from "@/api/types";
import type { Field } from "@/features/entity_types/lib/fields";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import { toCsv } from "@/ui/csv";
import { download } from "@/ui/download";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useEntityActions } from "../hooks/useEntities";
import { toTable } from "../lib/table";

interface SelectionBarProps {
  chosen: readonly Entity[];
  fields: readonly Field[];
  onDone: () => void;
}

/** What can be done with the records that are ticked. */
export function SelectionBar({ chosen, fields, onDone }: SelectionBarProps) {
  const { remove } = useEntityActions();
  const canUpdate = useCan()("entities.team.update");
  const many = chosen.length === 1 ? "1 record" : `${chosen.length} records`;
  const deleteAll = async () => {
    let gone = 0;
    try {
      for (const { id } of chosen) {
        await remove.mutateAsync(id);
        gone += 1;
      }
      notifyDone(`${many} deleted.`);
    } catch (error) {
      notifyProblem(`${gone} of ${chosen.length} were deleted`, error);
    }
    onDone();
  };
  const askToDelete = () =>
    confirmDanger({
      title: `Delete ${many}?`,
      children: "They go with their history, their responses and their relations. This cannot be undone.",
      action: `Delete ${many}`,
      onConfirm: () => void deleteAll(),
    });
  const exportAll = () =>
    download(new Blob([toCsv(toTable(chosen, fields))], { type: "text/csv;charset=utf-8" }), "records.csv");
  return (
    <Group gap="xs" role="group" aria-label="Selected records" mb="xs">
      <Text size="sm" fw={550} role="status">{`${many} selected`}</Text>
      <Button size="xs" variant="default" onClick={exportAll}>
        Export selected
      </Button>
      {canUpdate && (
        <Button size="xs" variant="default" c="var(--mantine-color-error)" loading={remove.isPending} onClick={askToDelete}>
          Delete
        </Button>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={onDone}>
        Clear selection
      </Button>
    </Group>
  );
}
