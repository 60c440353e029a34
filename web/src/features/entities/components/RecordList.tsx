import { Box, Button, Group, Text } from "@mantine/core";
import { DownloadIcon } from "@radix-ui/react-icons";
import { type ReactNode, useMemo, useState } from "react";
import type { EntityType } from "@/api/types";
import { listFields } from "@/features/entity_types/lib/fields";
import { download, fileName } from "@/ui/download";
import { notifyProblem } from "@/ui/notify";
import { useColumns } from "../hooks/useColumns";
import { useEntities, useEntitiesCsv, useEntityCount, useEntityIds } from "../hooks/useEntities";
import { toQuery } from "../lib/savedLists";
import { DEFAULT_SORT, type RecordsSearch, isNarrowed, knownSort } from "../lib/search";
import { ColumnsMenu } from "./ColumnsMenu";
import { RecordFilters } from "./RecordFilters";
import { NoRecordsYet, NothingMatches } from "./RecordsEmpty";
import { RecordsTable } from "./RecordsTable";
import { SavedListsMenu } from "./SavedListsMenu";
import { type Selection, SelectionBar, countRecords } from "./SelectionBar";
import { TooManyToSort, isTooManyToSort } from "./TooManyToSort";

interface RecordListProps {
  search: RecordsSearch;
  types: readonly EntityType[];
  /** Offered where there is no record yet. */
  newRecord: ReactNode;
  onChange: (change: Partial<RecordsSearch>) => void;
  /** Acts on selected records that other features bring. */
  selectionActs?: (selection: Selection) => ReactNode;
}

const NONE: ReadonlySet<string> = new Set();

export function RecordList({ search, types, newRecord, onChange, selectionActs }: RecordListProps) {
  const type = types.find(({ slug }) => slug === search.type);
  const fields = useMemo(() => (type ? listFields(type) : []), [type]);
  const asked = { ...search, sort: knownSort(search.sort, fields) };
  const records = useEntities(asked);
  const columns = useColumns(search.type, search.cols);
  const shown = columns.chosen.flatMap((key) => fields.find((field) => field.key === key) ?? []);
  const saveCsv = useSaveCsv(asked, shown.map(({ key }) => key));
  const findIds = useEntityIds(asked);
  const { data: count } = useEntityCount(asked);
  const selected = useSelection(JSON.stringify([search.type, search.q, search.min_score, search.waits]));
  const chosen = (records.rows ?? []).filter(({ id }) => selected.ticked.has(id));
  const clear = () => onChange({ type: undefined, q: undefined, min_score: undefined, waits: undefined, cols: undefined, list: undefined });
  return (
    <>
      <RecordFilters search={asked} fields={fields} onChange={onChange} />
      {chosen.length > 0 ? (
        <SelectionBar
          chosen={chosen}
          fields={shown.length > 0 ? shown : fields}
          matching={count && !count.more ? count.count : undefined}
          all={selected.all}
          onAll={selected.selectAll}
          findIds={findIds}
          exportAll={saveCsv.save}
          onDone={selected.clear}
          acts={selectionActs}
        />
      ) : (
        <Group justify="space-between" mb="xs" mih={30} gap="xs">
          <Group gap="sm">
            <SavedListsMenu
              query={toQuery(asked, columns.chosen)}
              current={search.list}
              onOpen={onChange}
              onCurrent={(list) => onChange({ list, ...(type && columns.chosen.length > 0 ? { cols: columns.chosen } : {}) })}
            />
            {count && (
              <Text size="sm" c="dimmed" role="status">
                {`${count.more ? "At least " : ""}${countRecords(count.count)}`}
              </Text>
            )}
          </Group>
          <Group gap="xs">
            {type && (
              <Box visibleFrom="sm">
                <ColumnsMenu
                  fields={fields}
                  chosen={columns.chosen}
                  onChange={(cols) => {
                    columns.keep(cols);
                    onChange({ cols });
                  }}
                />
              </Box>
            )}
            <Button
              variant="default"
              size="xs"
              leftSection={<DownloadIcon />}
              loading={saveCsv.loading}
              title={shown.length > 0 ? "All that match, with the columns you chose" : "All that match, with every field"}
              onClick={() => void saveCsv.save()}
            >
              CSV
            </Button>
          </Group>
        </Group>
      )}
      {isTooManyToSort(records.query.error) ? (
        <TooManyToSort onSort={(sort) => onChange({ sort })} />
      ) : (
        <RecordsTable
          list={records}
          types={types}
          fields={shown}
          ofOneType={type !== undefined}
          sort={asked.sort}
          onSort={(sort) => onChange({ sort: sort === DEFAULT_SORT ? undefined : sort })}
          ticked={selected.ticked}
          onTick={selected.setTicked}
          empty={isNarrowed(search) ? <NothingMatches onClear={clear} /> : <NoRecordsYet action={newRecord} />}
        />
      )}
    </>
  );
}

/** What is ticked; another list begins with nothing. */
function useSelection(list: string) {
  const [state, setState] = useState({ list, ticked: NONE, all: false });
  const current = state.list === list ? state : { list, ticked: NONE, all: false };
  return {
    ...current,
    setTicked: (ticked: ReadonlySet<string>) => setState({ list, ticked, all: false }),
    selectAll: () => setState({ ...current, all: true }),
    clear: () => setState({ list, ticked: NONE, all: false }),
  };
}

/** The server's table of all that is listed, as a file. */
function useSaveCsv(search: RecordsSearch, columns: readonly string[]) {
  const fetchCsv = useEntitiesCsv(search, columns);
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
  return { loading, save };
}
