import { getRouteApi } from "@tanstack/react-router";
import { ExperimentView } from "@/features/evals/components/ExperimentView";
import { useExperiment } from "@/features/evals/hooks/useExperiments";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/admin/agent-review/evals/experiments/$id");

export function EvalExperimentPage() {
  const { id } = route.useParams();
  const query = useExperiment(id);
  useTitle(query.data?.name ?? "Experiment", "Evals");
  return (
    <>
      <BackLink to="/admin/agent-review/evals" search={{ tab: "experiments" }}>
        Experiments
      </BackLink>
      <Loaded query={query} what="the experiment">
        {(experiment) => <ExperimentView key={experiment.id} experiment={experiment} />}
      </Loaded>
    </>
  );
}
