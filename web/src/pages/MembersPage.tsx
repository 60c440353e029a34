import { Button } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { getRouteApi } from "@tanstack/react-router";
import { NewMemberDialog } from "@/features/tenants/components/NewMemberDialog";
import { MEMBER_SORTS, MembersTable } from "@/features/tenants/components/MembersTable";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PageHeader } from "@/ui/PageHeader";
import { readSort } from "@/ui/table/sort";
import { useNewDialog } from "@/ui/useNewDialog";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/settings/members");

export function MembersPage() {
  useTitle("Members", "Settings");
  const [opened, dialog] = useNewDialog();
  const canManage = useCan()("members.team.manage");
  const navigate = route.useNavigate();
  const sort = readSort(route.useSearch(), MEMBER_SORTS, { key: "name", dir: "asc" });
  return (
    <>
      <PageHeader
        order={2}
        title="Members"
        description={
          canManage
            ? "The people in this workspace and what each may do."
            : "The people in this workspace. An admin or the owner can invite people and change roles."
        }
        actions={
          canManage && (
            <Button leftSection={<PlusIcon />} onClick={dialog.open}>
              New member
            </Button>
          )
        }
      />
      <MembersTable
        sort={sort}
        onSort={({ key, dir }) => void navigate({ search: { sort: key, dir }, replace: true })}
      />
      <NewMemberDialog opened={opened && canManage} onClose={dialog.close} />
    </>
  );
}
