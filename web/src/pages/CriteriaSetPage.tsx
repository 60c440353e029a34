import { Badge, Button, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { CriteriaSet } from "@/api/types";
import { AgreementPanel } from "@/features/criteria/components/AgreementPanel";
import { CriteriaSetEditor } from "@/features/criteria/components/CriteriaSetEditor";
import { FollowsItsType, IsArchived } from "@/features/criteria/components/CriteriaSetNotes";
import { CriteriaSetReadOnly } from "@/features/criteria/components/CriteriaSetReadOnly";
import { useCriteriaSet } from "@/features/criteria/hooks/useCriteriaSets";
import { useRemoveCriteriaSet } from "@/features/criteria/hooks/useRemoveCriteriaSet";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { notifyDone } from "@/ui/notify";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/build/criteria-sets/$id");

export function CriteriaSetPage() {
  const { id } = route.useParams();
  const query = useCriteriaSet(id);
  useTitle(query.data?.name ?? "Criteria set", "Build");
  return (
    <>
      <BackLink to="/build/criteria-sets">Criteria sets</BackLink>
      <Loaded query={query} what="the criteria set">
        {(set) => <CriteriaSetView key={set.id} set={set} />}
      </Loaded>
    </>
  );
}

function CriteriaSetView({ set }: { set: CriteriaSet }) {
  const navigate = useNavigate();
  const canManage = useCan()("criteria_sets.team.manage");
  const remove = useRemoveCriteriaSet(() => void navigate({ to: "/build/criteria-sets" }));
  const canChange = canManage && !set.is_default;
  return (
    <>
      <PageHeader
        order={2}
        title={set.name}
        description={set.description}
        actions={
          <>
            {set.is_default && <Badge color="gold">Default</Badge>}
            {canChange && !set.archived_at && (
              <Button variant="default" onClick={() => remove(set)}>
                Delete
              </Button>
            )}
          </>
        }
      />
      {set.is_default && <FollowsItsType set={set} />}
      {set.archived_at && <IsArchived set={set} canManage={canManage} />}
      <Stack gap={40}>
        {canChange ? (
          <CriteriaSetEditor set={set} onSaved={({ name }) => notifyDone(`${name} was saved.`)} />
        ) : (
          <CriteriaSetReadOnly set={set} />
        )}
        <section>
          <PageHeader
            order={2}
            title="Agreement"
            description="How far those who answered about the same records agree with each other."
          />
          <AgreementPanel setId={set.id} />
        </section>
      </Stack>
    </>
  );
}
