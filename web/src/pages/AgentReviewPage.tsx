import { AgentReviewEmpty } from "@/features/agent_review/components/AgentReviewEmpty";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function AgentReviewPage() {
  useTitle("Agent review");
  return (
    <>
      <PageHeader title="Agent review" description="How your agents are doing, and what they should learn." />
      <AgentReviewEmpty />
    </>
  );
}
