import { getRouteApi } from "@tanstack/react-router";
import { AgentPicker } from "@/features/evals/components/AgentPicker";
import { EvalsHome } from "@/features/evals/components/EvalsHome";
import { ExperimentsList } from "@/features/evals/components/ExperimentsList";
import { EvalsTabs } from "@/features/evals/components/EvalsTabs";
import { JudgesList } from "@/features/evals/components/JudgesList";
import { MatrixView } from "@/features/evals/components/MatrixView";
import { RunsList } from "@/features/evals/components/RunsList";
import { SetPicker } from "@/features/evals/components/SetPicker";
import { TrendView } from "@/features/evals/components/TrendView";
import type { EvalsSearch } from "@/features/evals/lib/search";
import { useCan, useWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { LoadingRows, NoAccess } from "@/ui/states";

const route = getRouteApi("/shell/admin/agent-review/evals");

export function EvalsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const workspace = useWorkspace();
  const mayRead = useCan()("evals.team.review");
  const change = (part: Partial<EvalsSearch>) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  if (workspace.isPending) return <LoadingRows label="evals" />;
  if (!mayRead) return <NoAccess what="evals" />;
  return (
    <EvalsTabs search={search}>
      {search.tab === undefined && <EvalsHome search={search} onChange={change} />}
      {search.tab === "runs" && <RunsList search={search} onChange={change} />}
      {search.tab === "experiments" && <ExperimentsList search={search} onChange={change} />}
      {search.tab === "matrix" && (
        <SetPicker chosen={search.set} onChoose={(set) => change({ set })}>
          {(set) => <MatrixView set={set} order={search.order ?? "fall"} onOrder={(order) => change({ order: order === "listed" ? order : undefined })} />}
        </SetPicker>
      )}
      {search.tab === "trend" && (
        <SetPicker
          chosen={search.set}
          onChoose={(set) => change({ set })}
          beside={<AgentPicker chosen={search.agent} onChoose={(agent) => change({ agent })} />}
        >
          {(set) => <TrendView set={set} agent={search.agent} />}
        </SetPicker>
      )}
      {search.tab === "judges" && <JudgesList search={search} onChange={change} />}
    </EvalsTabs>
  );
}
