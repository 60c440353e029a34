import { Button, Group, Text } from "@mantine/core";
import { DownloadIcon } from "@radix-ui/react-icons";
import { type ReactNode, useMemo, useState } from "react";
import type { EntityType } from "@/api/types";
import { listFields } from "@/features/entity_types/lib/fields";
import { download, fileName } from "@/ui/download";
import { notifyProblem } from "@/ui/notify";
import { useColumns } from "../hooks/useColumns";
import { useEntities, useEntitiesCsv, useEntityCount } from "../hooks/useEntities";
import { DEFAULT_SORT, type RecordsSearch, isNarrowed, knownSort } from "../lib/search";
import { ColumnsMenu } from "./ColumnsMenu";
import { RecordFilters } from "./RecordFilters";
import { NoRecordsYet, NothingMatches } from "./RecordsEmpty";
import { RecordsTable } from "./RecordsTable";
import { SelectionBar } from "./SelectionBar";

interface RecordListProps {
  search: RecordsSearch;
  types: readonly EntityType[];
  /** Offered where there is no record yet. */
  newRecord: ReactNode;
  onChange: (change: Partial<RecordsSearch>) => void;
}

export function RecordList({ search, types, newRecord, onChange }: RecordListProps) {
  const type = types.find(({ slug }) => slug === search.type);
  const fields = useMemo(() => (type ? listFields(type) : []), [type]);
  const asked = { ...search, sort: knownSort(search.sort, fields) };
  const records = useEntities(asked);
  const columns = useColumns(search.type, search.cols);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const chosen = (records.rows ?? []).filter(({ id }) => ticked.has(id));
  const clear = () => onChange({ type: undefined, q: undefined, min_score: undefined, waits: undefined, cols: undefined });
  return (
    <>
      <RecordFilters search={asked} fields={fields} onChange={onChange} />
      {chosen.length > 0 ? (
        <SelectionBar chosen={chosen} fields={fields} onDone={() => setTicked(new Set())} />
      ) : (
        <Group justify="space-between" mb="xs" mih={30}>
          <Count search={asked} />
          <Group gap="xs">
            {type && (
              <ColumnsMenu
                fields={fields}
                chosen={columns.chosen}
                onChange={(cols) => {
                  columns.keep(cols);
                  onChange({ cols });
                }}
              />
            )}
            <CsvButton search={asked} />
          </Group>
        </Group>
      )}
      <RecordsTable
        list={records}
        types={types}
        fields={columns.chosen.flatMap((key) => fields.find((field) => field.key === key) ?? [])}
        ofOneType={type !== undefined}
        sort={asked.sort}
        onSort={(sort) => onChange({ sort: sort === DEFAULT_SORT ? undefined : sort })}
        ticked={ticked}
        onTick={setTicked}
        empty={isNarrowed(search) ? <NothingMatches onClear={clear} /> : <NoRecordsYet action={newRecord} />}
      />
    </>
  );
}

const numbers = new Intl.NumberFormat("en");

function Count({ search }: { search: RecordsSearch }) {
  const { data } = useEntityCount(search);
  if (!data) return <span />;
  const count = `${data.more ? "More than " : ""}${numbers.format(data.count)} ${data.count === 1 ? "record" : "records"}`;
  return (
    <Text size="sm" c="dimmed" role="status">
      {count}
    </Text>
  );
}

function CsvButton({ search }: { search: RecordsSearch }) {
  const fetchCsv = useEntitiesCsv(search);
  const [loading, setLoading] = useState(false);
  const save = async () => {
    setLoading(true);
    try {
      const table = (await fetchCsv()) as string;
      download(new Blob([table], { type: "text/csv;charset=utf-8" }), `${fileName(search.type ?? "records")}.csv`);
    } catch (error) {
      notifyProblem("The table was not made", error);
    }
    setLoading(false);
  };
  return (
    <Button variant="default" size="xs" leftSection={<DownloadIcon />} loading={loading} onClick={() => void save()}>
      CSV
    </Button>
  );
}
