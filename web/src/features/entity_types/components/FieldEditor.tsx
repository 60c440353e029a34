import {
  Checkbox,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Textarea,
} from "@mantine/core";
import { type Fault, messageAt } from "@/api/faults";
import { FIELD_KINDS, type FieldDraft, type FieldKind, KIND_LABEL, isNumberKind } from "../lib/fieldDraft";
import { humanize } from "../lib/fields";
import { TypeSelect } from "./TypeSelect";

interface FieldEditorProps {
  draft: FieldDraft;
  /** Where it stands among the fields. */
  at: string;
  faults: readonly Fault[];
  onChange: (part: Partial<FieldDraft>) => void;
}

/** Everything the builder knows about one field. */
export function FieldEditor({ draft, at, faults, onChange }: FieldEditorProps) {
  const error = (name: string) => messageAt(faults, `${at}/${name}`);
  const kinds: FieldKind[] = draft.schemaKind === "other" ? [...FIELD_KINDS, "other"] : [...FIELD_KINDS];
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Label"
          placeholder={humanize(draft.name)}
          value={draft.label}
          error={error("label")}
          onChange={(event) => onChange({ label: event.currentTarget.value })}
        />
        <TextInput
          label="Name"
          description="How it is stored"
          inputWrapperOrder={["label", "input", "description", "error"]}
          required
          value={draft.name}
          error={error("name")}
          onChange={(event) => onChange({ name: event.currentTarget.value, nameIsOwn: true })}
        />
        <NativeSelect
          label="Type"
          value={draft.kind}
          error={error("kind")}
          data={kinds.map((kind) => ({ value: kind, label: KIND_LABEL[kind] }))}
          onChange={(event) => onChange({ kind: event.currentTarget.value as FieldKind })}
        />
      </SimpleGrid>
      {draft.kind === "other" && (
        <Text size="sm" c="dimmed">
          This field is more than the builder can say. Its schema is kept as it is; change it in the JSON tab.
        </Text>
      )}
      {draft.kind === "choice" && (
        <Textarea
          label="Options"
          description="One per line"
          autosize
          minRows={3}
          maxRows={12}
          required
          value={draft.options.join("\n")}
          error={error("options")}
          onChange={(event) => onChange({ options: event.currentTarget.value.split("\n") })}
        />
      )}
      {isNumberKind(draft.kind) && (
        <SimpleGrid cols={3} spacing="sm">
          <NumberInput label="Lowest" value={draft.min} error={error("min")} onChange={(min) => onChange({ min })} />
          <NumberInput label="Highest" value={draft.max} error={error("max")} onChange={(max) => onChange({ max })} />
          <TextInput
            label="Unit"
            placeholder="days"
            maxLength={30}
            value={draft.unit}
            error={error("unit")}
            onChange={(event) => onChange({ unit: event.currentTarget.value })}
          />
        </SimpleGrid>
      )}
      {draft.kind === "relation" && <RelationInputs draft={draft} error={error} onChange={onChange} />}
      <Textarea
        label="Description"
        autosize
        minRows={1}
        maxRows={6}
        value={draft.description}
        error={error("description")}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      {draft.kind !== "relation" && (
        <Checkbox
          label="Every record must have it"
          checked={draft.required}
          onChange={(event) => onChange({ required: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

interface RelationInputsProps extends Pick<FieldEditorProps, "draft" | "onChange"> {
  error: (name: string) => string | undefined;
}

function RelationInputs({ draft, error, onChange }: RelationInputsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TypeSelect
          label="Leads to"
          placeholder="Choose an entity type"
          required
          value={draft.targetType}
          error={error("target_type")}
          onChange={(targetType) => onChange({ targetType })}
        />
        <TextInput
          label="Relationship"
          placeholder="buys from"
          maxLength={100}
          value={draft.relationshipType}
          error={error("relationship_type")}
          onChange={(event) => onChange({ relationshipType: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Checkbox
        label="A record can have several"
        checked={draft.multiple}
        onChange={(event) => onChange({ multiple: event.currentTarget.checked })}
      />
    </>
  );
}
