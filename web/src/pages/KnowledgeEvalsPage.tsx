import { SuiteCards } from "@/features/artifact_evals/components/SuiteCards";
import { useKnowledgeSuites } from "@/features/artifact_evals/hooks/useKnowledgeEvals";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function KnowledgeEvalsPage() {
  useTitle("Knowledge evals");
  const query = useKnowledgeSuites();
  return (
    <>
      <PageHeader
        title="Knowledge evals"
        description="Which records can be trusted: backed by sources, complete, actionable, let through by a person, shown somewhere, and of this workspace alone."
      />
      <Loaded query={query} what="knowledge suites">
        {({ data, problems }) => <SuiteCards suites={data} problems={problems} />}
      </Loaded>
    </>
  );
}
