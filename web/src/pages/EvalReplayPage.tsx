import { getRouteApi } from "@tanstack/react-router";
import { ReplayView } from "@/features/evals/components/ReplayView";
import { useReplay } from "@/features/evals/hooks/useEvalRuns";
import { agentName } from "@/features/evals/lib/numbers";
import { CONTEXT_LOOK, MODE_LOOK } from "@/features/evals/lib/words";
import { titleOf } from "@/features/sessions/components/SessionHeader";
import { useAgentSession } from "@/features/sessions/hooks/useSessions";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/admin/agent-review/evals/replays/$id");

export function EvalReplayPage() {
  const { id } = route.useParams();
  const query = useReplay(id);
  const { data: golden } = useAgentSession(query.data?.goldenId ?? null);
  const title = golden ? titleOf(golden) : "Replay";
  useTitle(title, "Replay");
  const back = query.data ? (
    <BackLink to="/admin/agent-review/evals/runs/$id" params={{ id: query.data.runId }}>
      Run
    </BackLink>
  ) : (
    <BackLink to="/admin/agent-review/evals" search={{ tab: "runs" }}>
      Runs
    </BackLink>
  );
  return (
    <>
      {back}
      <Loaded query={query} what="the replay">
        {(replay) => (
          <>
          <PageHeader
            title={title}
            description={`Replay by ${agentName(replay.agent)} · tools answer: ${MODE_LOOK[replay.mode].label.toLowerCase()} · knowledge: ${CONTEXT_LOOK[replay.context].label.toLowerCase()}`}
          />
          <ReplayView key={replay.id} replay={replay} />
          </>
        )}
      </Loaded>
    </>
  );
}
