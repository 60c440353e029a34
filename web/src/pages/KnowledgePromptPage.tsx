import { getRouteApi } from "@tanstack/react-router";
import { KnowledgeTabs } from "@/features/knowledge/components/KnowledgeTabs";
import { PromptView } from "@/features/knowledge/components/PromptView";
import type { PromptSearch } from "@/features/knowledge/lib/search";

const route = getRouteApi("/shell/admin/agent-review/knowledge/prompt");

export function KnowledgePromptPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<PromptSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <KnowledgeTabs current="/admin/agent-review/knowledge/prompt">
      <PromptView search={search} onChange={change} />
    </KnowledgeTabs>
  );
}
