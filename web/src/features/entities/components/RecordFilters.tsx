import { NativeSelect } from "@mantine/core";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import type { Field } from "@/features/entity_types/lib/fields";
import { SearchInput } from "@/ui/SearchInput";
import { DEFAULT_SORT, FIELD_PREFIX, MAX_QUERY, RECORD_SORTS, type RecordsSearch } from "../lib/search";
import classes from "./RecordFilters.module.css";

const MIN_SCORES = [20, 40, 60, 70, 80, 90];

interface RecordFiltersProps {
  search: RecordsSearch;
  /** Of the chosen type; the list can be sorted by each. */
  fields: readonly Field[];
  onChange: (change: Partial<RecordsSearch>) => void;
}

export function RecordFilters({ search, fields, onChange }: RecordFiltersProps) {
  const scores = [...new Set([...MIN_SCORES, ...(search.min_score ? [search.min_score] : [])])].sort((a, b) => a - b);
  return (
    <div className={classes.filters} role="search" aria-label="Records">
      <SearchInput
        label="Search records"
        maxLength={MAX_QUERY}
        value={search.q ?? ""}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <TypeSelect
        aria-label="Type"
        none="All types"
        value={search.type ?? ""}
        onChange={(type) => onChange({ type: type || undefined, cols: undefined, list: undefined })}
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
        aria-label="Review"
        value={search.waits ? "waits" : ""}
        data={[
          { value: "", label: "Reviewed or not" },
          { value: "waits", label: "Waits for review" },
        ]}
        onChange={(event) => onChange({ waits: event.currentTarget.value === "waits" || undefined })}
      />
      <NativeSelect
        aria-label="Order"
        value={search.sort ?? DEFAULT_SORT}
        data={[
          ...RECORD_SORTS,
          ...fields.flatMap(({ key, label }) => [
            { value: FIELD_PREFIX + key, label: `${label}, lowest first` },
            { value: `-${FIELD_PREFIX}${key}`, label: `${label}, highest first` },
          ]),
        ]}
        onChange={(event) => {
          const sort = event.currentTarget.value;
          onChange({ sort: sort === DEFAULT_SORT ? undefined : sort });
        }}
      />
    </div>
  );
}
