import { Button, Group, Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import type { Entity, EntityType } from "@/api/types";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import { listFields, listRelationFields } from "@/features/entity_types/lib/fields";
import { Modal } from "@/ui/Modal";
import { notifyProblem } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useEntityActions } from "../hooks/useEntities";
import { useRecordDraft } from "../hooks/useRecordDraft";
import { useConnect } from "../hooks/useRelations";
import { RecordFields } from "./RecordFields";
import { type Chosen, RelationPicker } from "./RelationPicker";

interface NewRecordDialogProps {
  opened: boolean;
  types: readonly EntityType[];
  /** The slug of the type to begin with. */
  type: string | undefined;
  onClose: () => void;
  onCreated: (entity: Entity) => void;
}

export function NewRecordDialog({ opened, types, type, onClose, onCreated }: NewRecordDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New record" size="lg" closeOnClickOutside={false}>
      <ChooseType types={types} type={type} onCancel={onClose} onCreated={onCreated} />
    </Modal>
  );
}

type ChooseTypeProps = Pick<NewRecordDialogProps, "types" | "type" | "onCreated"> & { onCancel: () => void };

function ChooseType({ types, type, onCancel, onCreated }: ChooseTypeProps) {
  const [slug, setSlug] = useState(type);
  const chosen = types.find((each) => each.slug === slug) ?? types[0];
  if (!chosen) return null;
  return (
    <Stack>
      <TypeSelect label="Type" value={chosen.slug} onChange={setSlug} />
      <NewRecordForm key={chosen.slug} entityType={chosen} onCancel={onCancel} onCreated={onCreated} />
    </Stack>
  );
}

interface NewRecordFormProps {
  entityType: EntityType;
  onCancel: () => void;
  onCreated: (entity: Entity) => void;
}

const NOTHING = { title: "", content: {} };

function NewRecordForm({ entityType, onCancel, onCreated }: NewRecordFormProps) {
  const { create } = useEntityActions();
  const fields = useMemo(() => listFields(entityType), [entityType]);
  // What is involved is easier to add later; only what the schema insists on is asked for now.
  const asked = useMemo(() => fields.filter((field) => field.kind !== "json" || field.required), [fields]);
  const draft = useRecordDraft(asked, NOTHING);
  const relations = useMemo(() => listRelationFields(entityType), [entityType]);
  const [targets, setTargets] = useState<Record<string, Chosen[]>>({});
  const connect = useConnect();

  /** The record is there by now: what could not be connected is said, and can be done on its page. */
  const connectAll = async ({ id }: Entity) => {
    for (const { key, label } of relations) {
      for (const target of targets[key] ?? []) {
        try {
          await connect.mutateAsync({ entity_id: id, field_key: key, target_id: target.id });
        } catch (error) {
          notifyProblem(`${label}: ${target.title} was not connected`, error);
        }
      }
    }
  };

  const submit = async () => {
    const values = draft.read();
    if (!values) return;
    try {
      const made = await create.mutateAsync({ type: entityType.slug, ...values });
      await connectAll(made);
      onCreated(made);
    } catch (error) {
      draft.place(error);
    }
  };

  return (
    <form
      ref={draft.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack>
        <FormProblem>{draft.head}</FormProblem>
        <RecordFields draft={draft} fields={asked} />
        {relations.map((field) => (
          <RelationPicker
            key={field.key}
            field={field}
            value={targets[field.key] ?? []}
            onChange={(chosen) => setTargets((before) => ({ ...before, [field.key]: chosen }))}
          />
        ))}
        {asked.length < fields.length && (
          <Text size="xs" c="dimmed">
            Fields with more inside, such as {listNames(fields.filter((field) => !asked.includes(field)))}, can be filled
            in on the record.
          </Text>
        )}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || connect.isPending}>
            Save record
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const names = new Intl.ListFormat("en", { type: "conjunction" });

function listNames(fields: readonly { label: string }[]): string {
  return names.format(fields.map(({ label }) => label));
}
