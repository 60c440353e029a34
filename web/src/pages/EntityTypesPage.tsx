import { Button } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { EntityTypesTable, TYPE_SORTS } from "@/features/entity_types/components/EntityTypesTable";
import { NewTypeDialog } from "@/features/entity_types/components/NewTypeDialog";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { readSort } from "@/ui/table/sort";
import { useNewDialog } from "@/ui/useNewDialog";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/build/types");

export function EntityTypesPage() {
  useTitle("Entity types", "Build");
  const [opened, dialog] = useNewDialog();
  const canManage = useCan()("entity_types.team.manage");
  const go = useNavigate();
  const navigate = route.useNavigate();
  const sort = readSort(route.useSearch(), TYPE_SORTS, { key: "name", dir: "asc" });
  const newType = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open}>
      New entity type
    </Button>
  );
  return (
    <>
      <PageHeader
        order={2}
        title="Entity types"
        description="What kinds of records there are, and which fields each has."
        actions={canManage && newType}
      />
      <EntityTypesTable
        sort={sort}
        onSort={({ key, dir }) => void navigate({ search: { sort: key, dir }, replace: true })}
        empty={
          <EmptyState title="No entity types yet" action={canManage && newType}>
            Define one to keep records: a company, a product, a support case.
          </EmptyState>
        }
      />
      <NewTypeDialog
        opened={opened && canManage}
        onClose={dialog.close}
        onCreated={({ slug }) => void go({ to: "/build/types/$slug", params: { slug } })}
      />
    </>
  );
}
