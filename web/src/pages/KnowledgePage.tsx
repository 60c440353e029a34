import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Knowledge } from "@/api/types";
import { MeasureDialog } from "@/features/evals/components/MeasureDialog";
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
  const can = useCan();
  const mayManage = can("knowledge.team.manage");
  const mayMeasure = can("evals.team.manage") && can("evals.team.review");
  const [measured, setMeasured] = useState<Knowledge | null>(null);
  const change = (part: Partial<KnowledgeSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <KnowledgeTabs current="/admin/agent-review/knowledge" search={search}>
      {workspace.isPending && <LoadingRows label="knowledge" />}
      {workspace.data && mayManage && <KnowledgeBrowser search={search} onChange={change} onMeasure={mayMeasure ? setMeasured : undefined} />}
      {workspace.data && !mayManage && (
        <PromptView search={{}} onChange={(part) => void navigate({ to: "/admin/agent-review/knowledge/prompt", search: part })} />
      )}
      <MeasureDialog asked={measured && { row: measured }} onClose={() => setMeasured(null)} />
    </KnowledgeTabs>
  );
}
