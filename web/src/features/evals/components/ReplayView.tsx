import { Alert, Anchor, Badge, Button, Group, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { ReplayDetail } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useFeedbackAbout } from "@/features/feedback/hooks/useFeedback";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Loaded } from "@/ui/Loaded";
import { LinkTabs, TAB } from "@/ui/LinkTabs";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { LoadingRows } from "@/ui/states";
import { useReplays } from "../hooks/useEvalRuns";
import { useGolden, useGoldenActions } from "../hooks/useGoldens";
import { useWholeEvents } from "../hooks/useWholeEvents";
import { alignSteps, diffSteps } from "../lib/align";
import { type Comparison, type Divergence, DIVERGENCE_LABEL, groupDivergences, readComparison } from "../lib/comparison";
import { canonical } from "../lib/align";
import { dollars, percent, seconds } from "../lib/numbers";
import { spreadLine } from "../lib/runs";
import { OUTCOME_LOOK } from "../lib/words";
import { DiffColumns } from "./DiffColumns";
import { ReplayJudgement } from "./JudgeBadge";
import { OutcomeMark } from "./OutcomeDots";
import classes from "./evals.module.css";

/** A replay beside its golden: what differs on top, then both step by step. */
export function ReplayView({ replay }: { replay: ReplayDetail }) {
  const comparison = readComparison(replay.comparison);
  return (
    <>
      <Repeats replay={replay} />
      <Outcome replay={replay} comparison={comparison} />
      {comparison && <Divergences comparison={comparison} />}
      {comparison && <Dimensions comparison={comparison} />}
      <ReplayJudgement replay={replay} />
      {replay.state === "queued" ? <Text size="sm">It has not begun yet.</Text> : <Beside replay={replay} comparison={comparison} />}
    </>
  );
}

/** The repeats of the same golden by the same agent, each an address of its own. */
function Repeats({ replay }: { replay: ReplayDetail }) {
  const { rows = [] } = useEveryPage(useReplays(replay.runId, { goldenId: replay.goldenId, agentId: replay.agent.id }));
  const repeats = rows.filter(({ agent, baseline }) => agent.version === replay.agent.version && baseline === replay.baseline).toSorted((a, b) => a.repeat - b.repeat);
  if (repeats.length < 2) return null;
  const scores = spreadLine(repeats);
  return (
    <>
    <LinkTabs label="Repeats" look="inner" current={replay.id}>
      {repeats.map(({ id, outcome, tokens, seconds: took }, place) => (
        <Link
          key={id}
          to="/admin/agent-review/evals/replays/$id"
          params={{ id }}
          replace
          resetScroll={false}
          className={TAB}
          aria-current={id === replay.id ? "page" : undefined}
        >
          <span className={classes.repeat}>
            <OutcomeMark outcome={outcome} /> Repeat {place + 1}
            <span className={classes.repeatFigures}>
              {[outcome && OUTCOME_LOOK[outcome].label.toLowerCase(), tokens !== null && `${tokens.toLocaleString("en")} tokens`, took !== null && seconds(took)]
                .filter(Boolean)
                .join(", ")}
            </span>
          </span>
        </Link>
      ))}
    </LinkTabs>
    {scores && (
      <Text size="sm" c="dimmed" mb="xs">
        {scores}
      </Text>
    )}
    </>
  );
}

function Outcome({ replay, comparison }: { replay: ReplayDetail; comparison: Comparison | null }) {
  const { outcome, accuracy, fidelity, tokens, cost, error } = replay;
  return (
    <>
      <Text size="sm" component="p" className={classes.outcome}>
        {outcome === null ? (
          <Badge component="span" color="gold">
            {replay.state === "queued" ? "Waits" : replay.state === "cancelled" ? "Cancelled" : "Running"}
          </Badge>
        ) : (
          <Badge component="span" color={OUTCOME_LOOK[outcome].color} title={OUTCOME_LOOK[outcome].means} leftSection={<OutcomeMark outcome={outcome} />}>
            {OUTCOME_LOOK[outcome].label}
          </Badge>
        )}
        <span>Accuracy {percent(accuracy)}</span>
        <span>Reads answered {percent(fidelity)}</span>
        <span>{tokens === null ? "Tokens not known" : `${tokens.toLocaleString("en")} tokens`}</span>
        <span>{dollars(cost)}</span>
        <span>{seconds(replay.seconds)}</span>
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: replay.goldenId }} {...props} />}>
          Golden session
        </Anchor>
        {replay.state !== "queued" && (
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: replay.id }} {...props} />}>
            Replay session
          </Anchor>
        )}
      </Text>
      {outcome === "failed" && <Failed replay={replay} />}
      {error && (
        <Alert color={outcome === "error" ? "orange" : "red"} role="note" mb="md" title={outcome === "error" ? "The infrastructure failed, not the agent" : "The replay failed"}>
          {error}
        </Alert>
      )}
      {comparison?.alternative != null && (
        <Text size="sm" mb="sm">
          It is nearest to an accepted alternative of the golden, and compared with that.
        </Text>
      )}
    </>
  );
}

/** What comes of a failure: feedback that reviewers see, and a way to say that it was as good. */
function Failed({ replay }: { replay: ReplayDetail }) {
  const can = useCan();
  const { rows: feedback = [] } = useFeedbackAbout({ session_id: replay.id });
  const { accept } = useGoldenActions();
  const [first] = feedback;
  const acceptIt = () =>
    accept.mutate(
      { id: replay.goldenId, sessionId: replay.id },
      {
        onSuccess: () => notifyDone("It is accepted as well. Later replays are compared with both; this run stays as it is."),
        onError: (error) => notifyProblem("It was not accepted", error),
      },
    );
  return (
    <Group gap="sm" mb="sm">
      {first && (
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/feedback/all" search={{ feedback: first.id }} {...props} />}>
          Feedback about it
        </Anchor>
      )}
      {can("evals.team.manage") && (
        <Button size="compact-sm" variant="default" loading={accept.isPending} title="Where it reached the goal in another way" onClick={acceptIt}>
          Accept as good
        </Button>
      )}
    </Group>
  );
}

/** The effects on top, then facts, tools and text. */
function Divergences({ comparison }: { comparison: Comparison }) {
  const groups = groupDivergences(comparison.divergences);
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <Title order={2} size="h3" id={heading} mb="xs">
        {groups.length === 0 ? "No divergences" : "Divergences"}
      </Title>
      {groups.length === 0 && <Text size="sm">It changed and said what the golden did.</Text>}
      <div className={classes.strip}>
        {groups.map((group) => (
          <div key={group.heading} className={classes.stripGroup} data-effects={group.heading === "Effects" || undefined}>
            <Text size="xs" fw={600} c="dimmed">
              {group.heading}
            </Text>
            <ul>
              {group.divergences.map((divergence, place) => (
                <li key={place}>
                  <OneDivergence divergence={divergence} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

function OneDivergence({ divergence: { kind, message, tool, path, golden, replay } }: { divergence: Divergence }) {
  const [left, right] = [shown(golden), shown(replay)];
  return (
    <div className={classes.divergence}>
      <Badge component="span" size="sm" color={SOFT.includes(kind) ? "gray" : "red"} miw="max-content">
        {DIVERGENCE_LABEL[kind] ?? kind}
      </Badge>
      <div>
        <Text size="sm">
          {message}
          {tool && path && (
            <>
              {" "}
              <code>
                {tool}.{path}
              </code>
            </>
          )}
        </Text>
        {(left !== null || right !== null) && (
          <dl className={classes.values}>
            <dt>Golden</dt>
            <dd data-side="golden">{left ?? <em>nothing</em>}</dd>
            <dt>Replay</dt>
            <dd data-side="replay">{right ?? <em>nothing</em>}</dd>
          </dl>
        )}
      </div>
    </div>
  );
}

const SOFT = ["missing_tool", "extra_tool", "text"]; // they weigh little, or nothing

function shown(value: unknown): string | null {
  return value === undefined || value === null ? null : canonical(value);
}

/** What each part of the comparison came to, and why. */
function Dimensions({ comparison }: { comparison: Comparison }) {
  const rows = Object.entries(comparison.dimensions);
  if (rows.length === 0) return null;
  return (
    <details className={classes.details}>
      <summary>How it was scored</summary>
      <table className={classes.scores} aria-label="How it was scored">
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Score</th>
            <th scope="col">Weight</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, { score, weight, reason, required, passed }]) => (
            <tr key={name}>
              <th scope="row">
                {name.replaceAll("_", " ")}
                {required && (passed === false ? ", required: not met" : ", required")}
              </th>
              <td>{score === null ? "–" : score.toFixed(2)}</td>
              <td>{weight === 0 ? "–" : weight.toFixed(2)}</td>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Beside({ replay, comparison }: { replay: ReplayDetail; comparison: Comparison | null }) {
  const alternative = comparison?.alternative ?? null;
  const golden = useGolden(alternative === null ? null : replay.goldenId);
  const comparedId = alternative === null ? replay.goldenId : (golden.data?.alternatives[alternative] ?? (golden.isPending ? null : replay.goldenId));
  const wanted = useWholeEvents(comparedId);
  const done = useWholeEvents(replay.id);
  if (comparedId === null) return <LoadingRows label="the golden" />;
  return (
    <Loaded query={wanted} what="the golden">
      {(left) => (
        <Loaded query={done} what="the replay">
          {(right) => (
            <DiffColumns
              rows={alignSteps(diffSteps(left.events), diffSteps(right.events))}
              divergences={comparison?.divergences ?? []}
              isCut={left.isCut || right.isCut}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
