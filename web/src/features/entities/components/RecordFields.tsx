import { Stack, TextInput } from "@mantine/core";
import type { Field } from "@/features/entity_types/lib/fields";
import type { RecordDraft } from "../hooks/useRecordDraft";
import { FieldInput } from "./FieldInput";

interface RecordFieldsProps {
  draft: RecordDraft;
  fields: readonly Field[];
}

export function RecordFields({ draft, fields }: RecordFieldsProps) {
  return (
    <Stack>
      <TextInput
        label="Title"
        required
        maxLength={500}
        data-autofocus
        value={draft.title}
        error={draft.errors.title}
        onChange={(event) => draft.setTitle(event.currentTarget.value)}
      />
      {fields.map((field) => (
        <FieldInput
          key={field.key}
          field={field}
          value={draft.valueOf(field.key)}
          error={draft.errors[`content.${field.key}`]}
          onChange={(value) => draft.setValue(field.key, value)}
        />
      ))}
    </Stack>
  );
}
