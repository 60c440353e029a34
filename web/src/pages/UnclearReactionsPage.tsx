import { getRouteApi } from "@tanstack/react-router";
import { ConversationParts } from "@/features/conversations/components/ConversationParts";
import { UnclearQueue } from "@/features/conversations/components/UnclearQueue";
import type { UnclearSearch } from "@/features/conversations/lib/search";

const route = getRouteApi("/shell/admin/agent-review/conversations/unclear");

export function UnclearReactionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<UnclearSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <ConversationParts current="/admin/agent-review/conversations/unclear" search={search}>
      <UnclearQueue search={search} onChange={change} />
    </ConversationParts>
  );
}
