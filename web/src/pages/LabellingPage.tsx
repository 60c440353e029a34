import { getRouteApi } from "@tanstack/react-router";
import { LabelQueue, LabelSamples } from "@/features/evals/components/LabelQueue";
import { useCan, useWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { BackLink } from "@/ui/BackLink";
import { PageHeader } from "@/ui/PageHeader";
import { LoadingRows, NoAccess } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/admin/agent-review/evals/labelling");

export function LabellingPage() {
  const { sample } = route.useSearch();
  const workspace = useWorkspace();
  const mayLabel = useCan()("evals.team.label");
  useTitle("Labelling", "Evals");
  if (workspace.isPending) return <LoadingRows label="labelling" />;
  if (!mayLabel) return <NoAccess what="labelling" />;
  if (sample === undefined) {
    return (
      <>
        <PageHeader title="Labelling" description="What people say of replays, before they see what a judge said: whoever checks a judge is not led by it." />
        <LabelSamples />
      </>
    );
  }
  return (
    <>
      <BackLink to="/admin/agent-review/evals/labelling">Samples</BackLink>
      <PageHeader title="Does it meet the rubric?" description="Read what was asked and what was done, and say what you think of it." />
      <LabelQueue key={sample} sample={sample} />
    </>
  );
}
