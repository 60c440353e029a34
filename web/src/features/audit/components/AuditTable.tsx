import { Anchor, Stack, Text } from "@mantine/core";
import type { AuditEntry } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useAudit } from "../hooks/useAudit";
import { type AuditSearch, isNarrowed } from "../lib/search";
import { inWords, wayOf, whoOf } from "../lib/words";

interface AuditTableProps {
  search: AuditSearch;
  onOpen: (id: string) => void;
}

export function AuditTable({ search, onOpen }: AuditTableProps) {
  const entries = useAudit(search);
  const columns: Column<AuditEntry>[] = [
    {
      key: "name",
      header: "What",
      cell: (entry) => (
        <Stack gap={0} align="flex-start">
          <Anchor component="button" type="button" size="sm" fw={550} ta="left" onClick={() => onOpen(entry.id)}>
            {inWords(entry.name)}
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={1} style={{ overflowWrap: "anywhere" }}>
            {entry.subject_id}
          </Text>
        </Stack>
      ),
    },
    { key: "actor", header: "Who", cell: whoOf },
    { key: "via", header: "With what, from where", cell: wayOf },
    { key: "created_at", header: "When", cell: (entry) => <RelativeTime value={entry.created_at} /> },
  ];
  return (
    <PagedRows
      list={entries}
      what="entries"
      empty={
        <EmptyState title={isNarrowed(search) ? "Nothing of this kind happened" : "Nothing has happened yet"}>
          {isNarrowed(search) ? "Choose something else above." : "Whatever is changed in this workspace is listed here, and stays."}
        </EmptyState>
      }
    >
      {(rows) => <DataTable label="Audit log" columns={columns} rows={rows} rowKey={(entry) => entry.id} />}
    </PagedRows>
  );
}
