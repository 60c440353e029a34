import { getRouteApi } from "@tanstack/react-router";
import { FeedbackTrends } from "@/features/feedback/components/FeedbackTrends";
import { FeedbackParts } from "@/features/feedback/components/FeedbackParts";
import type { TrendsSearch } from "@/features/feedback/lib/search";

const route = getRouteApi("/shell/admin/agent-review/feedback/trends");

export function FeedbackTrendsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<TrendsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <FeedbackParts current="/admin/agent-review/feedback/trends" search={search}>
      <FeedbackTrends search={search} onChange={change} />
    </FeedbackParts>
  );
}
