import { getRouteApi } from "@tanstack/react-router";
import { ConversationParts } from "@/features/conversations/components/ConversationParts";
import { SatisfactionDashboard } from "@/features/conversations/components/SatisfactionDashboard";
import type { SatisfactionSearch } from "@/features/conversations/lib/search";

const route = getRouteApi("/shell/admin/agent-review/conversations/satisfaction");

export function SatisfactionPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<SatisfactionSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <ConversationParts current="/admin/agent-review/conversations/satisfaction" search={search}>
      <SatisfactionDashboard search={search} onChange={change} />
    </ConversationParts>
  );
}
