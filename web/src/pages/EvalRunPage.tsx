import { getRouteApi } from "@tanstack/react-router";
import { RunView } from "@/features/evals/components/RunView";
import { useEvalRun } from "@/features/evals/hooks/useEvalRuns";
import type { EvalRunSearch } from "@/features/evals/lib/search";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/admin/agent-review/evals/runs/$id");

export function EvalRunPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useEvalRun(id);
  useTitle(query.data?.name ?? "Run", "Evals");
  const change = (part: Partial<EvalRunSearch>) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <>
      <BackLink to="/admin/agent-review/evals" search={{ tab: "runs" }}>
        Runs
      </BackLink>
      <Loaded query={query} what="the run">
        {(run) => <RunView key={run.id} run={run} search={search} onChange={change} />}
      </Loaded>
    </>
  );
}
