import { JsonInput, NativeSelect, TagsInput, TextInput, Textarea } from "@mantine/core";
import type { Field } from "@/features/entity_types/lib/fields";
import type { DraftValue } from "../lib/draft";
import { optionText } from "../lib/values";

interface FieldInputProps {
  field: Field;
  value: DraftValue;
  error: string | undefined;
  onChange: (value: DraftValue) => void;
}

const TEXT_TYPES = { date: "date", url: "url" } as const;

/** The input that suits what a field may hold; anything involved is written as JSON. */
export function FieldInput({ field, value, error, onChange }: FieldInputProps) {
  const common = {
    label: field.label,
    description: field.description,
    required: field.required,
    error,
  };
  const text = typeof value === "string" ? value : "";
  switch (field.kind) {
    case "boolean":
    case "enum":
      return (
        <NativeSelect
          {...common}
          value={text}
          data={[{ value: "", label: "No value" }, ...choices(field)]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "longtext":
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "number":
    case "integer":
      return (
        <TextInput
          {...common}
          inputMode={field.kind === "integer" ? "numeric" : "decimal"}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "texts":
      return (
        <TagsInput
          {...common}
          placeholder="Type and press Enter"
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      );
    case "json":
      return (
        <JsonInput
          {...common}
          autosize
          minRows={2}
          maxRows={12}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={text}
          onChange={onChange}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          type={field.kind === "text" ? "text" : TEXT_TYPES[field.kind]}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function choices(field: Field) {
  if (field.kind === "boolean") {
    return [
      { value: "true", label: "Yes" },
      { value: "false", label: "No" },
    ];
  }
  return field.options.map((option) => ({ value: optionText(option), label: optionText(option) }));
}
