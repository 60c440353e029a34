import { Checkbox, MultiSelect, Radio, Select, SimpleGrid, Stack, TextInput, Textarea } from "@mantine/core";
import { type Fault, messageAt } from "@/api/faults";
import type { EntityType } from "@/api/types";
import type { Kind } from "../lib/definition";
import type { SetDraft } from "../lib/draft";
import { relationFields, withChosen } from "../lib/fields";
import { KINDS, KIND_LABEL, KIND_MEANING } from "../lib/kinds";

interface CriteriaSetBasicsProps {
  draft: SetDraft;
  isNew: boolean;
  faults: readonly Fault[];
  types: readonly EntityType[];
  onChange: (part: Partial<Omit<SetDraft, "dimensions">>) => void;
}

/** What a set is called, what kind it is and what it is about. */
export function CriteriaSetBasics({ draft, isNew, faults, types, onChange }: CriteriaSetBasicsProps) {
  const relations = relationFields(types, draft.types);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Name"
          required
          value={draft.name}
          error={messageAt(faults, "/name")}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Slug"
          description={isNew ? "Cannot be changed later" : "Fixed: programs refer to it"}
          inputWrapperOrder={["label", "input", "description", "error"]}
          required
          disabled={!isNew}
          value={draft.slug}
          error={messageAt(faults, "/slug")}
          onChange={(event) => onChange({ slug: event.currentTarget.value, slugIsOwn: true })}
        />
      </SimpleGrid>
      <Textarea
        label="Description"
        description="Shown above the form"
        autosize
        minRows={1}
        maxRows={6}
        value={draft.description}
        error={messageAt(faults, "/description")}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Radio.Group label="Kind" value={draft.kind} onChange={(kind) => onChange({ kind: kind as Kind })}>
        <Stack gap={8} mt={6}>
          {KINDS.map((kind) => (
            <Radio key={kind} value={kind} label={KIND_LABEL[kind]} description={KIND_MEANING[kind]} />
          ))}
        </Stack>
      </Radio.Group>
      {draft.kind === "temporal" && (
        <TextInput
          label="Temporal key"
          description="What tells the snapshots apart, such as quarter or visit"
          required
          maw={320}
          value={draft.temporalKey}
          error={messageAt(faults, "/temporal_key")}
          onChange={(event) => onChange({ temporalKey: event.currentTarget.value })}
        />
      )}
      <MultiSelect
        label="Entity types"
        description="Leave empty for all types"
        placeholder={draft.types.length === 0 ? "All types" : undefined}
        data={[
          ...types.map(({ slug, name }) => ({ value: slug, label: name })),
          // What was chosen stays a choice while its page of types is on the way.
          ...draft.types.filter((slug) => !types.some((type) => type.slug === slug)),
        ]}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Clear entity types" }}
        value={[...draft.types]}
        error={messageAt(faults, "/entity_type_slugs")}
        onChange={(value) => onChange({ types: value })}
      />
      <Checkbox
        label="Rates each connection of a record, not the record itself"
        checked={draft.ofRelation}
        onChange={(event) => onChange({ ofRelation: event.currentTarget.checked })}
      />
      {draft.ofRelation && (
        <Select
          label="Relation field"
          placeholder={relations.length > 0 ? "Choose the field" : "These types have no relation field"}
          required
          maw={320}
          data={withChosen(relations, draft.relationField ? [draft.relationField] : [])}
          value={draft.relationField || null}
          error={messageAt(faults, "/scope")}
          onChange={(value) => onChange({ relationField: value ?? "" })}
        />
      )}
    </Stack>
  );
}
