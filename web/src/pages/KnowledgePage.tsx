import { getRouteApi } from "@tanstack/react-router";
import { KnowledgeBrowser } from "@/features/knowledge/components/KnowledgeBrowser";
import { KnowledgeTabs } from "@/features/knowledge/components/KnowledgeTabs";
import { PromptView } from "@/features/knowledge/components/PromptView";
import type { KnowledgeSearch } from "@/features/knowledge/lib/search";
import { useCan, useWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { LoadingRows } from "@/ui/states";

const route = getRouteApi("/shell/admin/agent-review/knowledge/");

/** Knowledge for whoever keeps it; the others see what prompts hold of it. */
export function KnowledgePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const workspace = useWorkspace();
  const mayManage = useCan()("knowledge.team.manage");
  const change = (part: Partial<KnowledgeSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <KnowledgeTabs current="/admin/agent-review/knowledge" search={search}>
      {workspace.isPending && <LoadingRows label="knowledge" />}
      {workspace.data && mayManage && <KnowledgeBrowser search={search} onChange={change} />}
      {workspace.data && !mayManage && (
        <PromptView search={{}} onChange={(part) => void navigate({ to: "/admin/agent-review/knowledge/prompt", search: part })} />
      )}
    </KnowledgeTabs>
  );
}
