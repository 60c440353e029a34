import { Badge, Code, Group, Text } from "@mantine/core";
import type { Permissions, Role } from "@/api/types";
import { ErrorState, LoadingRows } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { usePermissions } from "../hooks/useWorkspace";
import { ROLE_SUMMARY, addedGrants, roleLabel } from "../lib/roles";

type RoleRow = Permissions["roles"][number];

export function RolesTable({ ownRole }: { ownRole: Role }) {
  const { data, error, isPending, refetch } = usePermissions();
  if (isPending) return <LoadingRows label="roles" rows={5} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const columns: Column<RoleRow>[] = [
    {
      key: "role",
      header: "Role",
      cell: ({ role }) => (
        <Group gap={8}>
          <Text size="sm" fw={550}>
            {roleLabel(role)}
          </Text>
          {role === ownRole && <Badge color="gold">Yours</Badge>}
        </Group>
      ),
    },
    { key: "summary", header: "In short", cell: ({ role }) => ROLE_SUMMARY[role as Role] },
    {
      key: "grants",
      header: "Adds",
      cell: ({ grants }) => (
        <Group gap={4}>
          {grants.map((grant) => (
            <Code key={grant}>{grant}</Code>
          ))}
        </Group>
      ),
    },
  ];
  return <DataTable label="Roles" columns={columns} rows={addedGrants(data.roles)} rowKey={({ role }) => role} />;
}
