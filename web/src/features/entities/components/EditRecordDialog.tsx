import { Button, Group, Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { isVersionConflict } from "@/api/problem";
import type { Entity, EntityType } from "@/api/types";
import { chooseFields, listRelationFields } from "@/features/entity_types/lib/fields";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useEntityActions } from "../hooks/useEntities";
import { useRecordDraft } from "../hooks/useRecordDraft";
import { applyChanges, changesBetween } from "../lib/draft";
import { EditConflict } from "./EditConflict";
import { RecordFields } from "./RecordFields";
import { RelationList } from "./RelationList";

interface EditRecordDialogProps {
  opened: boolean;
  entity: Entity;
  entityType: EntityType;
  onClose: () => void;
}

export function EditRecordDialog({ opened, entity, entityType, onClose }: EditRecordDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Edit ${entity.title}`} size="lg" closeOnClickOutside={false}>
      <Editor entity={entity} entityType={entityType} onClose={onClose} />
    </Modal>
  );
}

/** Begins anew, from what the server has, when the person lets go of their own changes. */
function Editor({ entity, entityType, onClose }: Omit<EditRecordDialogProps, "opened">) {
  const [base, setBase] = useState(entity);
  return <EditRecordForm key={base.version} base={base} entityType={entityType} onReload={setBase} onClose={onClose} />;
}

interface EditRecordFormProps {
  /** The record as it was when the person began. */
  base: Entity;
  entityType: EntityType;
  onReload: (entity: Entity) => void;
  onClose: () => void;
}

interface Edit {
  title: string;
  changes: Map<string, unknown>;
}

function EditRecordForm({ base, entityType, onReload, onClose }: EditRecordFormProps) {
  const { edit, reload } = useEntityActions();
  const fields = useMemo(() => chooseFields(entityType, base.content), [entityType, base]);
  const draft = useRecordDraft(fields, base);
  const [conflict, setConflict] = useState<{ mine: Edit; theirs: Entity } | null>(null);

  const save = async (mine: Edit, onto: Entity) => {
    try {
      await edit.mutateAsync({
        id: onto.id,
        version: onto.version,
        ...(mine.title !== base.title ? { title: mine.title } : {}),
        content: applyChanges(onto.content, mine.changes),
      });
      notifyDone("The record was changed.");
      onClose();
    } catch (error) {
      if (!isVersionConflict(error)) {
        setConflict(null);
        return draft.place(error);
      }
      try {
        setConflict({ mine, theirs: await reload(onto.id) });
      } catch (failure) {
        draft.place(failure);
      }
    }
  };

  const submit = () => {
    const typed = draft.read();
    if (!typed) return;
    const mine = { title: typed.title, changes: changesBetween(base.content, typed.content, fields) };
    if (mine.changes.size === 0 && mine.title === base.title) return onClose();
    void save(mine, base);
  };

  if (conflict) {
    return (
      <EditConflict
        base={base}
        theirs={conflict.theirs}
        title={conflict.mine.title}
        changes={conflict.mine.changes}
        fields={fields}
        busy={edit.isPending}
        onReload={() => onReload(conflict.theirs)}
        onReapply={() => void save(conflict.mine, conflict.theirs)}
        onBack={() => setConflict(null)}
      />
    );
  }
  return (
    <form
      ref={draft.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <FormProblem>{draft.head}</FormProblem>
        <Text size="sm" c="dimmed">
          What you enter here becomes the accepted value at once, with you as its source.
        </Text>
        <RecordFields draft={draft} fields={fields} />
        {listRelationFields(entityType).length > 0 && (
          <Stack gap={6} role="group" aria-label="Relations">
            <Text size="sm" fw={500}>
              Relations
            </Text>
            <Text size="xs" c="dimmed">
              Connecting and removing counts at once, without saving.
            </Text>
            <RelationList entity={base} entityType={entityType} />
          </Stack>
        )}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={edit.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
