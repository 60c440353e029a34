import { Button, SegmentedControl } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { getRouteApi } from "@tanstack/react-router";
import { KEY_SORTS, KEY_STATUSES, KeysTable } from "@/features/tenants/components/KeysTable";
import { NewKeyDialog } from "@/features/tenants/components/NewKeyDialog";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { roleLabel } from "@/features/tenants/lib/roles";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { readSort } from "@/ui/table/sort";
import { useNewDialog } from "@/ui/useNewDialog";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/settings/keys");
const FILTERS = [
  { value: "all", label: "All" },
  ...KEY_STATUSES.map((status) => ({ value: status as string, label: roleLabel(status) })),
];

export function KeysPage() {
  useTitle("API keys", "Settings");
  const [opened, dialog] = useNewDialog();
  const canManage = useCan()("keys.team.manage");
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const sort = readSort(search, KEY_SORTS, { key: "created_at", dir: "desc" });
  const newKey = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open}>
      New key
    </Button>
  );
  return (
    <>
      <PageHeader
        order={2}
        title="API keys"
        description={
          canManage
            ? "How programs and agents sign in. A key is shown once, when it is new."
            : "How programs and agents sign in. An admin or the owner can save new keys and revoke them."
        }
        actions={canManage && newKey}
      />
      {canManage && (
        <SegmentedControl
          mb="md"
          size="xs"
          aria-label="Status"
          data={FILTERS}
          value={search.status ?? "all"}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, status: KEY_STATUSES.find((status) => status === value) }),
              replace: true,
            })
          }
        />
      )}
      <KeysTable
        status={search.status}
        sort={sort}
        onSort={({ key, dir }) =>
          void navigate({ search: (before) => ({ ...before, sort: key, dir }), replace: true })
        }
        empty={
          <EmptyState title="No API keys yet" action={canManage && newKey}>
            Each program or agent that should read or write here has one of its own.
          </EmptyState>
        }
      />
      <NewKeyDialog opened={opened && canManage} onClose={dialog.close} />
    </>
  );
}
