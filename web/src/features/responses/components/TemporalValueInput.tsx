import { TextInput } from "@mantine/core";
import { humanize } from "@/features/entity_types/lib/fields";

interface TemporalValueInputProps {
  /** What tells the snapshots of the set apart. */
  temporalKey: string | null | undefined;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

export function TemporalValueInput({ temporalKey, value, error, onChange }: TemporalValueInputProps) {
  return (
    <TextInput
      label={humanize(temporalKey ?? "snapshot")}
      description={`Which ${temporalKey ?? "snapshot"} this response is about`}
      required
      maw={280}
      error={error}
      errorProps={{ role: "alert" }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
