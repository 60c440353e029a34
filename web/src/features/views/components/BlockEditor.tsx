import { MultiSelect, NativeSelect, Stack, Text, TextInput, Textarea } from "@mantine/core";
import { type Fault, messageAt } from "@/api/faults";
import { CriteriaSetSelect } from "@/features/criteria/components/CriteriaSetSelect";
import { type FieldChoice, withChosen } from "@/features/criteria/lib/fields";
import { BLOCK_MEANING, type BlockDraft } from "../lib/blocks";

interface BlockEditorProps {
  draft: BlockDraft;
  /** Where it stands in the view. */
  at: string;
  faults: readonly Fault[];
  fields: readonly FieldChoice[];
  relations: readonly FieldChoice[];
  /** The type that the view is for; absent for all. */
  typeSlug: string | undefined;
  onChange: (part: Partial<BlockDraft>) => void;
}

/** The settings of one block. */
export function BlockEditor({ draft, at, faults, fields, relations, typeSlug, onChange }: BlockEditorProps) {
  const error = (name: string) => messageAt(faults, `${at}/${name}`);
  const needsSet = ["response-form", "responses", "score-progression"].includes(draft.type);
  return (
    <Stack gap="sm">
      <Text size="xs" c="dimmed">
        {BLOCK_MEANING[draft.type]}
      </Text>
      <TextInput
        label="Title"
        placeholder="Optional"
        value={draft.title}
        error={error("title")}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      {draft.type === "fields" && (
        <MultiSelect
          label="Fields"
          description="In this order; all of them if left empty"
          placeholder={draft.fields.length === 0 ? "All fields" : undefined}
          data={withChosen(fields, draft.fields)}
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Clear fields" }}
          value={[...draft.fields]}
          error={error("fields")}
          onChange={(value) => onChange({ fields: value })}
        />
      )}
      {needsSet && (
        <CriteriaSetSelect
          label="Criteria set"
          typeSlug={typeSlug}
          by="slug"
          none={draft.type === "responses" ? "All criteria sets" : "Featured or default set"}
          value={draft.criteriaSetSlug}
          error={error("criteria_set_slug")}
          onChange={(criteriaSetSlug) => onChange({ criteriaSetSlug })}
        />
      )}
      {draft.type === "relations" && (
        <NativeSelect
          label="Relation field"
          data={[
            { value: "", label: "All relations" },
            ...withChosen(relations, draft.fieldKey ? [draft.fieldKey] : []),
          ]}
          value={draft.fieldKey}
          error={error("field_key")}
          onChange={(event) => onChange({ fieldKey: event.currentTarget.value })}
        />
      )}
      {draft.type === "text" && (
        <Textarea
          label="Text"
          description="Markdown can be used"
          autosize
          minRows={4}
          maxRows={16}
          value={draft.text}
          error={error("text")}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
