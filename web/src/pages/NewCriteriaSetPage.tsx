import { useNavigate } from "@tanstack/react-router";
import { NEW_SET_DRAFT } from "@/features/criteria/lib/keptSet";
import { CriteriaSetEditor } from "@/features/criteria/components/CriteriaSetEditor";
import { useDraftName } from "@/features/responses/hooks/useDraftName";
import { useCan, useWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { BackLink } from "@/ui/BackLink";
import { PageHeader } from "@/ui/PageHeader";
import { notifyDone } from "@/ui/notify";
import { LoadingRows, NoAccess } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

export function NewCriteriaSetPage() {
  useTitle("New criteria set", "Build");
  const navigate = useNavigate();
  const keepAs = useDraftName()(...NEW_SET_DRAFT);
  const { isPending } = useWorkspace();
  const canManage = useCan()("criteria_sets.team.manage");
  if (isPending) return <LoadingRows label="the editor" />;
  if (!canManage) return <NoAccess what="new criteria sets" />;
  return (
    <>
      <BackLink to="/build/criteria-sets">Criteria sets</BackLink>
      <PageHeader order={2} title="New criteria set" description="Say what is asked; the form takes shape beside it." />
      <CriteriaSetEditor
        set={null}
        keepAs={keepAs}
        onSaved={(saved) => {
          notifyDone(`${saved.name} was saved.`);
          void navigate({ to: "/build/criteria-sets/$id", params: { id: saved.id } });
        }}
      />
    </>
  );
}
