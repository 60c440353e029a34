import { NativeSelect, Select } from "@mantine/core";

const SHORT_LIST = 20; // options that can be overlooked without searching

interface NameSelectProps {
  label: string;
  /** What choosing nothing is called. */
  none: string;
  names: readonly string[] | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A choice among names; what the address says is offered as well, known or not. */
export function NameSelect({ label, none, names = [], value, onChange }: NameSelectProps) {
  const options = value === undefined || names.includes(value) ? [...names] : [value, ...names];
  if (options.length <= SHORT_LIST) {
    return (
      <NativeSelect
        aria-label={label}
        value={value ?? ""}
        data={[{ value: "", label: none }, ...options.map((name) => ({ value: name, label: name }))]}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      />
    );
  }
  return (
    <Select
      aria-label={label}
      placeholder={none}
      searchable
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      nothingFoundMessage="Nothing matches"
      withScrollArea={false}
      styles={{ options: { maxHeight: 260, overflowY: "auto" } }}
      data={options}
      value={value ?? null}
      onChange={(name) => onChange(name ?? undefined)}
    />
  );
}
