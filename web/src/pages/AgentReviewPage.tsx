import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { ReviewSections } from "@/features/agent_review/components/ReviewSections";
import { listSections } from "@/features/agent_review/lib/sections";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function AgentReviewPage() {
  useTitle("Agent review");
  const sections = listSections(useRouter().routesById["/shell/admin/agent-review"]);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <>
      <PageHeader title="Agent review" description="How your agents are doing, and what they should learn." />
      <ReviewSections sections={sections} current={pathname} />
      <Outlet />
    </>
  );
}
