import { Badge, Button, Code, Stack, Text, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import type { Key } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import type { Sort } from "@/ui/table/sort";
import { useKeyActions, useKeysOf } from "../hooks/useKeys";
import { useCan } from "../hooks/useWorkspace";
import { ROLES, roleLabel } from "../lib/roles";

export const KEY_SORTS = ["name", "holder", "role", "status", "last_used_at", "expires_at", "created_at"] as const;
export const KEY_STATUSES = ["active", "expired", "revoked"] as const;

const STATUS_COLOR: Record<Key["status"], string> = { active: "green", expired: "orange", revoked: "gray" };

interface KeysTableProps {
  status: Key["status"] | undefined;
  /** Only those of one member or agent. */
  holderId?: string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  empty: ReactNode;
}

export function KeysTable({ status, holderId, sort, onSort, empty }: KeysTableProps) {
  const keys = useKeysOf(holderId, status);
  const canManage = useCan()("keys.team.manage");
  const { revoke } = useKeyActions();

  const confirmRevoke = (key: Key) =>
    confirmDanger({
      title: `Revoke “${key.name}”?`,
      children: "Whatever uses this key stops working within about a second. A revoked key cannot be brought back.",
      action: "Revoke key",
      onConfirm: () =>
        revoke.mutate(key.id, {
          onSuccess: () => notifyDone(`“${key.name}” was revoked.`),
          onError: (error) => notifyProblem("The key was not revoked", error),
        }),
    });

  const shown = holderId === undefined ? keyColumns : keyColumns.filter(({ key }) => key !== "holder");
  const columns: Column<Key>[] = canManage
    ? [...shown, { key: "actions", header: "Actions", hideHeader: true, cell: (key) => revokeButton(key, confirmRevoke) }]
    : shown;

  return (
    <PagedRows
      list={keys}
      what="API keys"
      sorted
      empty={status ? <EmptyState title={`No ${status} keys`}>Choose another status above.</EmptyState> : empty}
    >
      {(rows) => (
        <DataTable
          label="API keys"
          columns={columns}
          rows={rows}
          rowKey={(key) => key.id}
          sort={sort}
          onSort={onSort}
        />
      )}
    </PagedRows>
  );
}

function revokeButton(key: Key, onRevoke: (key: Key) => void) {
  if (key.status === "revoked") return null;
  return (
    <Button
      variant="default"
      size="compact-xs"
      aria-label={`Revoke ${key.name}`}
      onClick={() => onRevoke(key)}
    >
      Revoke
    </Button>
  );
}

const keyColumns: Column<Key>[] = [
  {
    key: "name",
    header: "Key",
    sortValue: (key) => key.name,
    cell: (key) => (
      <Stack gap={2} align="flex-start">
        <Text size="sm" fw={550}>
          {key.name}
        </Text>
        <Code>{key.prefix}…</Code>
      </Stack>
    ),
  },
  {
    key: "holder",
    header: "Belongs to",
    sortValue: (key) => key.holder.name,
    cell: (key) => (
      <Stack gap={0}>
        <Text size="sm">{key.holder.name}</Text>
        <Text size="xs" c="dimmed">
          {key.holder.kind === "agent" ? "Agent" : "Person"}
        </Text>
      </Stack>
    ),
  },
  {
    key: "role",
    header: "Role",
    sortValue: (key) => ROLES.indexOf(key.role),
    cell: (key) => (
      <Stack gap={0} align="flex-start">
        <Text size="sm">{roleLabel(key.role)}</Text>
        {key.scopes && (
          <Tooltip label={key.scopes.join(", ")} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
            <Text size="xs" c="dimmed" tabIndex={0} td="underline dotted">
              {key.scopes.length === 1 ? "1 scope" : `${key.scopes.length} scopes`}
            </Text>
          </Tooltip>
        )}
      </Stack>
    ),
  },
  {
    key: "status",
    header: "Status",
    sortValue: (key) => key.status,
    cell: (key) => <Badge color={STATUS_COLOR[key.status]}>{roleLabel(key.status)}</Badge>,
  },
  {
    key: "last_used_at",
    header: "Last used",
    sortValue: (key) => key.last_used_at,
    cell: (key) => <RelativeTime value={key.last_used_at} none="Never" />,
  },
  {
    key: "expires_at",
    header: "Expires",
    sortValue: (key) => key.expires_at,
    cell: (key) => <RelativeTime value={key.expires_at} none="Never" />,
  },
  {
    key: "created_at",
    header: "Created",
    sortValue: (key) => key.created_at,
    cell: (key) => (
      <Stack gap={0}>
        <RelativeTime value={key.created_at} />
        <Text size="xs" c="dimmed">
          {key.created_by.name}
        </Text>
      </Stack>
    ),
  },
];
