import { getRouteApi } from "@tanstack/react-router";
import { ConversationParts } from "@/features/conversations/components/ConversationParts";
import { ConversationList } from "@/features/conversations/components/ConversationList";
import type { ConversationsSearch } from "@/features/conversations/lib/search";

const route = getRouteApi("/shell/admin/agent-review/conversations/");

export function ConversationsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<ConversationsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <ConversationParts current="/admin/agent-review/conversations" search={search}>
      <ConversationList search={search} onChange={change} />
    </ConversationParts>
  );
}
