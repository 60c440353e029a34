import { getRouteApi } from "@tanstack/react-router";
import { AgentReviewTabs } from "@/features/agent_review/components/AgentReviewTabs";
import { ConversationList } from "@/features/conversations/components/ConversationList";
import { SatisfactionDashboard } from "@/features/conversations/components/SatisfactionDashboard";
import { UnclearQueue } from "@/features/conversations/components/UnclearQueue";
import type { AgentReviewSearch } from "@/features/conversations/lib/search";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/admin/agent-review");

const BODY = { conversations: ConversationList, unclear: UnclearQueue, satisfaction: SatisfactionDashboard };

export function AgentReviewPage() {
  useTitle("Agent review");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tab = search.tab ?? "conversations";
  const Body = BODY[tab];
  const change = (part: Partial<AgentReviewSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <>
      <PageHeader title="Agent review" description="How your agents are doing, and what they should learn." />
      <AgentReviewTabs tab={tab} search={search}>
        <Body search={search} onChange={change} />
      </AgentReviewTabs>
    </>
  );
}
