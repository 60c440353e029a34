import { Anchor, Code, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { EntityType } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Column, DataTable } from "@/ui/table/DataTable";
import type { Sort } from "@/ui/table/sort";
import { useEntityTypes } from "../hooks/useEntityTypes";
import { readFields } from "../lib/typeDraft";

export const TYPE_SORTS = ["name", "fields", "updated_at"] as const;

function countFields({ json_schema, field_configs }: EntityType): number {
  return readFields({ json_schema, field_configs }).fields.length;
}

const columns: Column<EntityType>[] = [
  {
    key: "name",
    header: "Entity type",
    sortValue: ({ name }) => name,
    cell: ({ name, slug }) => (
      <Stack gap={2} align="flex-start">
        <Anchor
          size="sm"
          fw={550}
          renderRoot={(props) => <Link to="/build/types/$slug" params={{ slug }} {...props} />}
        >
          {name}
        </Anchor>
        <Code>{slug}</Code>
      </Stack>
    ),
  },
  { key: "fields", header: "Fields", sortValue: countFields, cell: countFields },
  {
    key: "records",
    header: "Records",
    cell: ({ slug, name }) => (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/records" search={{ type: slug }} {...props} />}
      >
        {`Show ${name} records`}
      </Anchor>
    ),
  },
  {
    key: "updated_at",
    header: "Changed",
    sortValue: ({ updated_at }) => updated_at,
    cell: ({ updated_at }) => <RelativeTime value={updated_at} />,
  },
];

interface EntityTypesTableProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
  empty: ReactNode;
}

export function EntityTypesTable({ sort, onSort, empty }: EntityTypesTableProps) {
  const types = useEntityTypes();
  return (
    <PagedRows list={types} what="entity types" empty={empty}>
      {(rows) => (
        <DataTable
          label="Entity types"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={onSort}
        />
      )}
    </PagedRows>
  );
}
