import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Entity, EntityType } from "@/api/types";
import type { PagedList } from "@/api/usePagedList";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { ScoreMeter } from "./ScoreMeter";

interface RecordsTableProps {
  list: PagedList<Entity>;
  types: readonly EntityType[];
  empty: ReactNode;
}

export function RecordsTable({ list, types, empty }: RecordsTableProps) {
  const nameOf = (slug: string) => types.find((type) => type.slug === slug)?.name ?? slug;
  const columns: Column<Entity>[] = [
    {
      key: "title",
      header: "Record",
      cell: (entity) => (
        <Anchor
          size="sm"
          fw={550}
          c="inherit"
          renderRoot={(props) => <Link to="/records/$id" params={{ id: entity.id }} {...props} />}
        >
          {entity.title}
        </Anchor>
      ),
    },
    { key: "type", header: "Type", cell: (entity) => nameOf(entity.type) },
    { key: "score", header: "Score", cell: (entity) => <ScoreMeter score={entity.score} /> },
    { key: "updated", header: "Changed", cell: (entity) => <RelativeTime value={entity.updated_at} /> },
  ];
  return (
    <PagedRows list={list} what="records" empty={empty}>
      {(rows) => <DataTable label="Records" columns={columns} rows={rows} rowKey={(entity) => entity.id} />}
    </PagedRows>
  );
}
