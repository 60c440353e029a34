import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Textarea,
} from "@mantine/core";
import { CopyIcon } from "@radix-ui/react-icons";
import { type Fault, messageAt } from "@/api/faults";
import { DIMENSION_TYPES, type DimensionType, typeRow } from "../lib/dimensionTypes";
import { type DimensionDraft, leftOut } from "../lib/draft";
import { type FieldChoice, withChosen } from "../lib/fields";

interface DimensionEditorProps {
  draft: DimensionDraft;
  /** Where it stands in the definition. */
  at: string;
  faults: readonly Fault[];
  fields: readonly FieldChoice[];
  /** What is said about a connection is not promoted. */
  isPromotable: boolean;
  onChange: (part: Partial<DimensionDraft>) => void;
  onDuplicate: () => void;
}

/** Everything that can be said about one dimension. */
export function DimensionEditor(props: DimensionEditorProps) {
  const { draft, at, faults, fields, isPromotable, onChange, onDuplicate } = props;
  const error = (name: string) => messageAt(faults, `${at}/${name}`);
  const left = leftOut(draft);
  const type = typeRow(draft.type);
  const like = fields.find(({ value }) => value === draft.key);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Label"
          required
          value={draft.label}
          error={error("label")}
          onChange={(event) => onChange({ label: event.currentTarget.value })}
        />
        <TextInput
          label="Key"
          description="How programs refer to it"
          inputWrapperOrder={["label", "input", "description", "error"]}
          required
          value={draft.key}
          error={error("key")}
          onChange={(event) => onChange({ key: event.currentTarget.value, keyIsOwn: true })}
        />
        <NativeSelect
          label="Type"
          value={draft.type}
          error={error("type")}
          data={DIMENSION_TYPES.map((value) => ({ value, label: typeRow(value).label }))}
          onChange={(event) => onChange({ type: event.currentTarget.value as DimensionType })}
        />
        {isPromotable && (
          <Select
            label="Field"
            description="Where an accepted value is written"
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder={like ? `${like.label}, like the key` : "None"}
            searchable
            clearable
            clearButtonProps={{ "aria-label": "Clear field" }}
            data={withChosen(fields, draft.fieldName ? [draft.fieldName] : [])}
            value={draft.fieldName || null}
            error={error("fieldName")}
            onChange={(value) => onChange({ fieldName: value ?? "" })}
          />
        )}
      </SimpleGrid>
      {left && (
        <Text size="xs" c="dimmed" role="status">
          {`${type.label} does not take ${left}: not saved, unless you go back to a type that does.`}
        </Text>
      )}
      {!type.isNumeric && !left && draft.weight !== "" && (
        <Text size="xs" c="dimmed">
          {`It has the weight ${draft.weight}, which counts only for numbers and ratings.`}
        </Text>
      )}
      {type.isNumeric && <NumericInputs draft={draft} error={error} onChange={onChange} />}
      {type.hasOptions && (
        <Textarea
          label="Options"
          description="One per line"
          autosize
          minRows={3}
          maxRows={12}
          required
          error={error("options")}
          value={draft.options.join("\n")}
          onChange={(event) => onChange({ options: event.currentTarget.value.split("\n") })}
        />
      )}
      <Textarea
        label="Description"
        description="Shown with the input"
        autosize
        minRows={1}
        maxRows={6}
        value={draft.description}
        error={error("description")}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Group justify="space-between" align="flex-end">
        <Stack gap={8}>
          <Checkbox
            label="An answer is required"
            checked={draft.required}
            onChange={(event) => onChange({ required: event.currentTarget.checked })}
          />
          <Checkbox
            label="An agent's value always waits for a reviewer"
            checked={draft.requiresApproval}
            onChange={(event) => onChange({ requiresApproval: event.currentTarget.checked })}
          />
        </Stack>
        <Button size="compact-sm" variant="default" leftSection={<CopyIcon />} onClick={onDuplicate}>
          Duplicate
        </Button>
      </Group>
    </Stack>
  );
}

interface NumericInputsProps {
  draft: DimensionDraft;
  error: (name: string) => string | undefined;
  onChange: (part: Partial<DimensionDraft>) => void;
}

function NumericInputs({ draft, error, onChange }: NumericInputsProps) {
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="sm">
      <NumberInput
        label="Lowest"
        required={typeRow(draft.type).needsScale}
        value={draft.min}
        error={error("scale")}
        onChange={(min) => onChange({ min })}
      />
      <NumberInput
        label="Highest"
        required={typeRow(draft.type).needsScale}
        value={draft.max}
        error={Boolean(error("scale"))}
        onChange={(max) => onChange({ max })}
      />
      <NumberInput label="Step" value={draft.step} error={error("step")} onChange={(step) => onChange({ step })} />
      <NumberInput
        label="Weight"
        placeholder="Not scored"
        step={0.1}
        value={draft.weight}
        error={error("weight")}
        onChange={(weight) => onChange({ weight })}
      />
    </SimpleGrid>
  );
}
