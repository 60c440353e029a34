import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { RelationField } from "@/features/entity_types/lib/fields";
import { useEntitySuggestions } from "../hooks/useEntities";

const PAUSE_MS = 200; // after the last key, before the server is asked

/** A record that a relation is to lead to. */
export interface Chosen {
  id: string;
  title: string;
}

interface RelationPickerProps {
  field: RelationField;
  value: readonly Chosen[];
  onChange: (value: Chosen[]) => void;
}

/** A choice among the records that a relation may lead to, by search. */
export function RelationPicker({ field, value, onChange }: RelationPickerProps) {
  const [typed, setTyped] = useState("");
  const [opened, setOpened] = useState(false);
  const [asked] = useDebouncedValue(typed, PAUSE_MS);
  const { data, isFetching } = useEntitySuggestions(field.targetType, asked.trim(), opened);
  const found = (data?.data ?? []).map(({ id, title }) => ({ id, title }));
  const known = [...value, ...found.filter(({ id }) => !value.some((each) => each.id === id))];
  return (
    <MultiSelect
      label={field.label}
      placeholder={value.length === 0 ? "Search records" : ""}
      searchable
      hidePickedOptions
      selectFirstOptionOnChange
      // The list itself scrolls, not a box around it that keys cannot reach.
      withScrollArea={false}
      styles={{ options: { maxHeight: 220, overflowY: "auto" } }}
      {...(field.multiple ? {} : { maxValues: 1 })}
      nothingFoundMessage={isFetching ? "Searching…" : "Nothing matches"}
      // The server has searched already, by words and not by letters; what is chosen is there for its name alone.
      filter={({ options }) => options.filter((option) => "value" in option && !value.some(({ id }) => id === option.value))}
      data={known.map(({ id, title }) => ({ value: id, label: title }))}
      value={value.map(({ id }) => id)}
      searchValue={typed}
      onSearchChange={(next) => {
        setTyped(next);
        if (next !== "") setOpened(true);
      }}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onChange={(ids) => {
        onChange(ids.flatMap((id) => known.find((each) => each.id === id) ?? []));
        setOpened(false); // it would lie over what comes next
      }}
    />
  );
}
