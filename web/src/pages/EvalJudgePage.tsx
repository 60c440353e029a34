import { getRouteApi } from "@tanstack/react-router";
import { JudgeView } from "@/features/evals/components/JudgeView";
import { useJudge } from "@/features/evals/hooks/useJudges";
import { judgeTitle } from "@/features/evals/lib/judges";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/admin/agent-review/evals/judges/$id");

export function EvalJudgePage() {
  const { id } = route.useParams();
  const query = useJudge(id);
  useTitle(query.data ? judgeTitle(query.data) : "Judge", "Evals");
  return (
    <>
      <BackLink to="/admin/agent-review/evals" search={{ tab: "judges" }}>
        Judges
      </BackLink>
      <Loaded query={query} what="the judge">
        {(judge) => <JudgeView key={judge.id} judge={judge} />}
      </Loaded>
    </>
  );
}
