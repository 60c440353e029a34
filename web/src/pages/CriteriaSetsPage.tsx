import { Button, SegmentedControl } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { Link, getRouteApi } from "@tanstack/react-router";
import { CriteriaSetDraftNotice } from "@/features/criteria/components/CriteriaSetDraftNotice";
import { CRITERIA_SET_SORTS, CriteriaSetsTable } from "@/features/criteria/components/CriteriaSetsTable";
import { NEW_SET_DRAFT } from "@/features/criteria/lib/keptSet";
import { useDraftName } from "@/features/responses/hooks/useDraftName";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { readSort } from "@/ui/table/sort";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/build/criteria-sets");

export function CriteriaSetsPage() {
  useTitle("Criteria sets", "Build");
  const canManage = useCan()("criteria_sets.team.manage");
  const draftName = useDraftName()(...NEW_SET_DRAFT);
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const sort = readSort(search, CRITERIA_SET_SORTS, { key: "name", dir: "asc" });
  const newSet = (
    <Button
      leftSection={<PlusIcon />}
      renderRoot={(props) => <Link to="/build/criteria-sets/new" {...props} />}
    >
      New criteria set
    </Button>
  );
  return (
    <>
      <PageHeader
        order={2}
        title="Criteria sets"
        description="What people and agents are asked about a record, and how their answers are scored."
        actions={canManage && newSet}
      />
      {canManage && <CriteriaSetDraftNotice keepAs={draftName} />}
      <SegmentedControl
        mb="md"
        size="xs"
        aria-label="Which criteria sets"
        data={[
          { value: "current", label: "In use" },
          { value: "archived", label: "With archived" },
        ]}
        value={search.archived ? "archived" : "current"}
        onChange={(value) =>
          void navigate({
            search: (before) => ({ ...before, archived: value === "archived" || undefined }),
            replace: true,
          })
        }
      />
      <CriteriaSetsTable
        archived={search.archived ?? false}
        sort={sort}
        onSort={({ key, dir }) => void navigate({ search: (before) => ({ ...before, sort: key, dir }), replace: true })}
        empty={
          <EmptyState title="No criteria sets yet" action={canManage && newSet}>
            Every entity type brings one for its fields. A new one scores or evaluates records.
          </EmptyState>
        }
      />
    </>
  );
}
