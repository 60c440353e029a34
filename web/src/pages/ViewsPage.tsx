import { Button } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { NewViewDialog } from "@/features/views/components/NewViewDialog";
import { VIEW_SORTS, ViewsTable } from "@/features/views/components/ViewsTable";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { readSort } from "@/ui/table/sort";
import { useNewDialog } from "@/ui/useNewDialog";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/build/views");

export function ViewsPage() {
  useTitle("Views", "Build");
  const [opened, dialog] = useNewDialog();
  const canManage = useCan()("views.team.manage");
  const go = useNavigate();
  const navigate = route.useNavigate();
  const sort = readSort(route.useSearch(), VIEW_SORTS, { key: "name", dir: "asc" });
  const newView = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open}>
      New view
    </Button>
  );
  return (
    <>
      <PageHeader
        order={2}
        title="Views"
        description="How records are laid out, block by block."
        actions={canManage && newView}
      />
      <ViewsTable
        sort={sort}
        onSort={({ key, dir }) => void navigate({ search: { sort: key, dir }, replace: true })}
        empty={
          <EmptyState title="No views yet" action={canManage && newView}>
            Records show all their fields and responses without one. A view brings together what one task needs.
          </EmptyState>
        }
      />
      <NewViewDialog
        opened={opened && canManage}
        onClose={dialog.close}
        onCreated={({ id }) => void go({ to: "/build/views/$id", params: { id } })}
      />
    </>
  );
}
