import { Anchor, Code, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { View } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Column, DataTable } from "@/ui/table/DataTable";
import type { Sort } from "@/ui/table/sort";
import { useViews } from "../hooks/useViews";
import { BLOCK_LABEL } from "../lib/blocks";

export const VIEW_SORTS = ["name", "entity_type", "updated_at"] as const;

const columns: Column<View>[] = [
  {
    key: "name",
    header: "View",
    sortValue: ({ name }) => name,
    cell: ({ id, name, slug }) => (
      <Stack gap={2} align="flex-start">
        <Anchor size="sm" fw={550} renderRoot={(props) => <Link to="/build/views/$id" params={{ id }} {...props} />}>
          {name}
        </Anchor>
        <Code>{slug}</Code>
      </Stack>
    ),
  },
  {
    key: "entity_type",
    header: "Type",
    sortValue: ({ entity_type }) => entity_type ?? "",
    cell: ({ entity_type }) =>
      entity_type ?? (
        <Text size="sm" c="dimmed">
          All types
        </Text>
      ),
  },
  {
    key: "blocks",
    header: "Blocks",
    cell: ({ blocks }) => (
      <Text size="sm" maw={320}>
        {blocks.map(({ title, type }) => title ?? BLOCK_LABEL[type]).join(", ") || "None"}
      </Text>
    ),
  },
  {
    key: "updated_at",
    header: "Changed",
    sortValue: ({ updated_at }) => updated_at,
    cell: ({ updated_at }) => <RelativeTime value={updated_at} />,
  },
];

interface ViewsTableProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
  empty: ReactNode;
}

export function ViewsTable({ sort, onSort, empty }: ViewsTableProps) {
  const views = useViews();
  return (
    <PagedRows list={views} what="views" empty={empty}>
      {(rows) => (
        <DataTable label="Views" columns={columns} rows={rows} rowKey={({ id }) => id} sort={sort} onSort={onSort} />
      )}
    </PagedRows>
  );
}
