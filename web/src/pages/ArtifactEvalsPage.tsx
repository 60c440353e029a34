import { ShowSuiteMenu } from "@/features/artifact_evals/components/ShowSuite";
import { SuiteCards } from "@/features/artifact_evals/components/SuiteCards";
import { useArtifactEvalSuites } from "@/features/artifact_evals/hooks/useArtifactEvals";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function ArtifactEvalsPage() {
  useTitle("Artifact evals");
  const query = useArtifactEvalSuites();
  return (
    <>
      <PageHeader
        title="Artifact evals"
        description="Which records can be trusted: backed by sources, complete, actionable, let through by a person, shown somewhere, and of this workspace alone."
        actions={<ShowSuiteMenu />}
      />
      <Loaded query={query} what="artifact eval suites">
        {({ data, problems }) => <SuiteCards suites={data} problems={problems} />}
      </Loaded>
    </>
  );
}
