import { Anchor, Badge, Code, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { CriteriaSet } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Column, DataTable } from "@/ui/table/DataTable";
import type { Sort } from "@/ui/table/sort";
import { useAllCriteriaSets } from "../hooks/useCriteriaSets";
import { LIKERT_MATRIX } from "../lib/columns";
import { KIND_LABEL } from "../lib/kinds";

export const CRITERIA_SET_SORTS = ["name", "kind", "types", "dimensions", "updated_at"] as const;

const columns: Column<CriteriaSet>[] = [
  {
    key: "name",
    header: "Criteria set",
    sortValue: ({ name }) => name,
    cell: (set) => (
      <Stack gap={2} align="flex-start">
        <Group gap={6}>
          <Anchor
            size="sm"
            fw={550}
            renderRoot={(props) => <Link to="/build/criteria-sets/$id" params={{ id: set.id }} {...props} />}
          >
            {set.name}
          </Anchor>
          {set.is_default && <Badge color="gold">Default</Badge>}
          {set.display_type === LIKERT_MATRIX && <Badge color="blue">Matrix</Badge>}
          {set.archived_at && <Badge color="gray">Archived</Badge>}
        </Group>
        <Code>{set.slug}</Code>
      </Stack>
    ),
  },
  { key: "kind", header: "Kind", sortValue: ({ kind }) => kind, cell: ({ kind }) => KIND_LABEL[kind] },
  {
    key: "types",
    header: "Types",
    sortValue: (set) => set.entity_type_slugs?.join() ?? "",
    cell: (set) =>
      set.entity_type_slugs ? (
        <Text size="sm">{set.entity_type_slugs.join(", ")}</Text>
      ) : (
        <Text size="sm" c="dimmed">
          All types
        </Text>
      ),
  },
  {
    key: "dimensions",
    header: "Dimensions",
    sortValue: ({ dimensions }) => dimensions.length,
    cell: ({ dimensions }) => dimensions.length,
  },
  {
    key: "updated_at",
    header: "Changed",
    sortValue: ({ updated_at }) => updated_at,
    cell: ({ updated_at }) => <RelativeTime value={updated_at} />,
  },
];

interface CriteriaSetsTableProps {
  archived: boolean;
  sort: Sort;
  onSort: (sort: Sort) => void;
  empty: ReactNode;
}

export function CriteriaSetsTable({ archived, sort, onSort, empty }: CriteriaSetsTableProps) {
  const sets = useAllCriteriaSets(archived);
  return (
    <PagedRows list={sets} what="criteria sets" empty={empty}>
      {(rows) => (
        <DataTable
          label="Criteria sets"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={onSort}
          isMuted={({ archived_at }) => archived_at !== null}
        />
      )}
    </PagedRows>
  );
}
