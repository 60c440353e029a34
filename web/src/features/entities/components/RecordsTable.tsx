import { Anchor, Checkbox, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Entity, EntityType } from "@/api/types";
import type { PagedList } from "@/api/usePagedList";
import type { Field } from "@/features/entity_types/lib/fields";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { FIELD_PREFIX } from "../lib/search";
import { formatValue, isEmpty, shortValue } from "../lib/values";
import { ScoreMeter } from "./ScoreMeter";
import { WaitingBadge } from "./WaitingBadge";

const MAX_TITLE = 1000; // characters that are shown on hover

interface RecordsTableProps {
  list: PagedList<Entity>;
  types: readonly EntityType[];
  /** Those that are columns. */
  fields: readonly Field[];
  ofOneType: boolean;
  /** As the server is asked: a minus means from the top down. */
  sort: string;
  onSort: (sort: string) => void;
  ticked: ReadonlySet<string>;
  onTick: (ticked: ReadonlySet<string>) => void;
  empty: ReactNode;
}

export function RecordsTable(props: RecordsTableProps) {
  const { list, types, fields, ofOneType, sort, onSort, ticked, onTick, empty } = props;
  const nameOf = (slug: string) => types.find((type) => type.slug === slug)?.name ?? slug;
  const tick = (id: string) => {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    onTick(next);
  };
  const columns: Column<Entity>[] = [
    {
      key: "tick",
      header: "Select",
      hideHeader: true,
      head: <TickAll rows={list.rows ?? []} ticked={ticked} onTick={onTick} />,
      phone: "tick",
      cell: ({ id, title }) => (
        <Checkbox size="xs" aria-label={`Select ${title}`} checked={ticked.has(id)} onChange={() => tick(id)} />
      ),
    },
    { key: "title", header: "Record", sortable: true, phone: "title", cell: (entity) => <TitleLink entity={entity} /> },
    ...(ofOneType
      ? []
      : [{ key: "type", header: "Type", phone: "under", cell: (entity: Entity) => nameOf(entity.type) } as const]),
    ...fields.map(({ key, label, kind }, place) => ({
      key: FIELD_PREFIX + key,
      header: label,
      sortable: true,
      ...(kind === "number" || kind === "integer" ? { firstDir: "desc" as const } : {}),
      ...(place === 0 ? { phone: "under" as const } : {}),
      cell: ({ content }: Entity) => <FieldCell value={content[key]} />,
    })),
    { key: "waiting", header: "Waits for review", phone: "under", cell: (entity) => <WaitingBadge entity={entity} /> },
    { key: "score", header: "Score", sortable: true, firstDir: "desc", phone: "aside", cell: ({ score, raters }) => <ScoreMeter score={score} raters={raters} width={48} short /> },
    { key: "updated", header: "Changed", sortable: true, firstDir: "desc", phone: "under", cell: (entity) => <RelativeTime value={entity.updated_at} /> },
  ];
  return (
    <PagedRows list={list} what="records" empty={empty}>
      {(rows) => (
        <DataTable
          label="Records"
          dense
          columns={columns}
          rows={rows}
          rowKey={(entity) => entity.id}
          sort={{ key: sort.replace(/^-/, ""), dir: sort.startsWith("-") ? "desc" : "asc" }}
          onSort={({ key, dir }) => onSort(dir === "desc" ? `-${key}` : key)}
        />
      )}
    </PagedRows>
  );
}

function FieldCell({ value }: { value: unknown }) {
  if (isEmpty(value)) return <Text span inherit c="dimmed">–</Text>;
  return <span title={formatValue(value).slice(0, MAX_TITLE)}>{shortValue(value)}</span>;
}

/** Ticks all that are loaded, or none. */
function TickAll({ rows, ticked, onTick }: { rows: readonly Entity[] } & Pick<RecordsTableProps, "ticked" | "onTick">) {
  const count = rows.filter(({ id }) => ticked.has(id)).length;
  const all = count > 0 && count === rows.length;
  return (
    <Checkbox
      size="xs"
      aria-label="Select all records"
      checked={all}
      indeterminate={count > 0 && !all}
      onChange={() => onTick(new Set(all ? [] : rows.map(({ id }) => id)))}
    />
  );
}

function TitleLink({ entity }: { entity: Entity }) {
  return (
    <Anchor
      size="sm"
      fw={550}
      c="inherit"
      title={entity.title}
      renderRoot={(props) => <Link to="/records/$id" params={{ id: entity.id }} {...props} />}
    >
      {entity.title}
    </Anchor>
  );
}
