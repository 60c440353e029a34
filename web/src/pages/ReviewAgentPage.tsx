import { KnowledgeTabs } from "@/features/knowledge/components/KnowledgeTabs";
import { ReviewAgent } from "@/features/knowledge/components/ReviewAgent";

export function ReviewAgentPage() {
  return (
    <KnowledgeTabs current="/admin/agent-review/knowledge/review">
      <ReviewAgent />
    </KnowledgeTabs>
  );
}
