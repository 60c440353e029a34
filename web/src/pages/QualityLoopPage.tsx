import { getRouteApi } from "@tanstack/react-router";
import { QualityLoop } from "@/features/feedback/components/QualityLoop";
import { FeedbackParts } from "@/features/feedback/components/FeedbackParts";
import type { QualitySearch } from "@/features/feedback/lib/search";

const route = getRouteApi("/shell/admin/agent-review/feedback/quality");

export function QualityLoopPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<QualitySearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <FeedbackParts current="/admin/agent-review/feedback/quality" search={search}>
      <QualityLoop search={search} onChange={change} />
    </FeedbackParts>
  );
}
