import { Anchor, Badge } from "@mantine/core";
import type { Erasure } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useErasures } from "../hooks/useErasures";
import { ERASURE_KIND, ERASURE_STATUS, countRows } from "../lib/words";

export function ErasureStatusBadge({ status }: { status: string }) {
  const { label, color } = ERASURE_STATUS[status] ?? { label: status, color: "gray" };
  return (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  );
}

/** What was deleted for good, newest first. */
export function ErasuresTable({ onOpen }: { onOpen: (id: string) => void }) {
  const columns: Column<Erasure>[] = [
    {
      key: "kind",
      header: "What",
      cell: ({ id, kind }) => (
        <Anchor component="button" type="button" size="sm" fw={550} ta="left" onClick={() => onOpen(id)}>
          {ERASURE_KIND[kind]}
        </Anchor>
      ),
    },
    { key: "status", header: "Status", cell: ({ status }) => <ErasureStatusBadge status={status} /> },
    { key: "rows", header: "Rows", cell: (erasure) => countRows(erasure).toLocaleString("en") },
    { key: "requested_by", header: "Asked for by", cell: ({ requested_by }) => requested_by.name ?? "System" },
    { key: "requested_at", header: "Asked for", cell: ({ requested_at }) => <RelativeTime value={requested_at} /> },
    { key: "ended_at", header: "Done", cell: ({ ended_at }) => <RelativeTime value={ended_at} /> },
  ];
  return (
    <PagedRows
      list={useErasures()}
      what="deletions"
      empty={
        <EmptyState title="Nothing was deleted for good">
          Conversations, sessions and records are deleted on their own pages, an end user with everything of theirs above.
        </EmptyState>
      }
    >
      {(rows) => <DataTable label="Deletions" columns={columns} rows={rows} rowKey={({ id }) => id} />}
    </PagedRows>
  );
}
