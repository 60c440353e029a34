import type { ReactNode } from "react";
import type { EntityType } from "@/api/types";
import { useEntities } from "../hooks/useEntities";
import { type RecordsSearch, isNarrowed } from "../lib/search";
import { RecordFilters } from "./RecordFilters";
import { NoRecordsYet, NothingMatches } from "./RecordsEmpty";
import { RecordsTable } from "./RecordsTable";

interface RecordListProps {
  search: RecordsSearch;
  types: readonly EntityType[];
  /** Offered where there is no record yet. */
  newRecord: ReactNode;
  onChange: (change: Partial<RecordsSearch>) => void;
}

export function RecordList({ search, types, newRecord, onChange }: RecordListProps) {
  const records = useEntities(search);
  const clear = () => onChange({ type: undefined, q: undefined, min_score: undefined });
  return (
    <>
      <RecordFilters search={search} onChange={onChange} />
      <RecordsTable
        list={records}
        types={types}
        empty={isNarrowed(search) ? <NothingMatches onClear={clear} /> : <NoRecordsYet action={newRecord} />}
      />
    </>
  );
}
