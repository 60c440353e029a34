import { getRouteApi } from "@tanstack/react-router";
import { FeedbackList } from "@/features/feedback/components/FeedbackList";
import { FeedbackParts } from "@/features/feedback/components/FeedbackParts";
import type { FeedbackSearch } from "@/features/feedback/lib/search";

const route = getRouteApi("/shell/admin/agent-review/feedback/single");

export function SingleFeedbackPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<FeedbackSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <FeedbackParts current="/admin/agent-review/feedback/single" search={search}>
      <FeedbackList search={search} onChange={change} single />
    </FeedbackParts>
  );
}
