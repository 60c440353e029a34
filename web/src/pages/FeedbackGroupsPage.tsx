import { getRouteApi } from "@tanstack/react-router";
import { FeedbackList } from "@/features/feedback/components/FeedbackList";
import { FeedbackParts } from "@/features/feedback/components/FeedbackParts";
import { GroupInbox } from "@/features/feedback/components/GroupInbox";
import type { GroupsSearch } from "@/features/feedback/lib/search";
import { useCan, useWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { LoadingRows } from "@/ui/states";

const route = getRouteApi("/shell/admin/agent-review/feedback/");

/** Groups for whoever reviews; the others see what they gave. */
export function FeedbackGroupsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const workspace = useWorkspace();
  const mayReview = useCan()("feedback.team.review");
  const change = (part: Partial<GroupsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <FeedbackParts current="/admin/agent-review/feedback" search={search}>
      {workspace.isPending && <LoadingRows label="feedback" />}
      {workspace.data && mayReview && <GroupInbox search={search} onChange={change} />}
      {workspace.data && !mayReview && <FeedbackList search={search} onChange={change} />}
    </FeedbackParts>
  );
}
