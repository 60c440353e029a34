import { CloseButton, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { MagnifyingGlassIcon } from "@radix-ui/react-icons";
import { useEffect, useState } from "react";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import { DEFAULT_SORT, RECORD_SORTS, type RecordSort, type RecordsSearch } from "../lib/search";

const PAUSE_MS = 300; // after the last key, before the server is asked
const MIN_SCORES = [20, 40, 60, 70, 80, 90];

interface RecordFiltersProps {
  search: RecordsSearch;
  onChange: (change: Partial<RecordsSearch>) => void;
}

export function RecordFilters({ search, onChange }: RecordFiltersProps) {
  const scores = [...new Set([...MIN_SCORES, ...(search.min_score ? [search.min_score] : [])])].sort((a, b) => a - b);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="md" role="search" aria-label="Records">
      <SearchInput value={search.q ?? ""} onChange={(q) => onChange({ q: q || undefined })} />
      <TypeSelect
        aria-label="Type"
        none="All types"
        value={search.type ?? ""}
        onChange={(type) => onChange({ type: type || undefined })}
      />
      <NativeSelect
        aria-label="Minimum score"
        value={String(search.min_score ?? "")}
        data={[
          { value: "", label: "Any score" },
          ...scores.map((score) => ({ value: String(score), label: `Score ${score} or more` })),
        ]}
        onChange={(event) => onChange({ min_score: Number(event.currentTarget.value) || undefined })}
      />
      <NativeSelect
        aria-label="Order"
        value={search.sort ?? DEFAULT_SORT}
        data={[...RECORD_SORTS]}
        onChange={(event) => {
          const sort = event.currentTarget.value as RecordSort;
          onChange({ sort: sort === DEFAULT_SORT ? undefined : sort });
        }}
      />
    </SimpleGrid>
  );
}

interface SearchInputProps {
  value: string;
  onChange: (value: string) => void;
}

/** Writes to the address once typing pauses; takes over what the address says when that changes elsewhere. */
function SearchInput({ value, onChange }: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  const report = useDebouncedCallback(onChange, PAUSE_MS);
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);
  const change = (next: string) => {
    setTyped(next);
    report(next.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label="Search titles"
      placeholder="Search titles"
      maxLength={500}
      leftSection={<MagnifyingGlassIcon aria-hidden />}
      rightSection={typed && <CloseButton size="sm" aria-label="Clear search" onClick={() => change("")} />}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
