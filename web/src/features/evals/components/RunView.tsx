import { Alert, Anchor, Button, Group, Paper, Progress, Text, Title } from "@mantine/core";
import { CheckIcon, ReloadIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { EvalReport, EvalRunDetail } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { partyName } from "@/features/entities/lib/provenance";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { RelativeTime } from "@/ui/RelativeTime";
import { useReplays, useRunActions } from "../hooks/useEvalRuns";
import { agentName, differenceLine, dollars, estimateLine, interval, percent, powerLine, repeatsToBuy, seconds, changeOfUse } from "../lib/numbers";
import { type RunDraft, draftOfRun } from "../lib/newRun";
import type { EvalRunSearch } from "../lib/search";
import { CONTEXT_LOOK, KIND_LOOK, MODE_LOOK, STOPPED_WORDS, plural } from "../lib/words";
import { RunBadge, VerdictBadge } from "./EvalBadges";
import { IntervalPlot } from "./IntervalPlot";
import { RunJudging } from "./JudgeBadge";
import { ReplayDialog, type ReplayTarget } from "./ReplayDialog";
import { RunGoldens } from "./RunGoldens";
import classes from "./evals.module.css";

interface RunViewProps {
  run: EvalRunDetail;
  search: EvalRunSearch;
  onChange: (part: Partial<EvalRunSearch>) => void;
}

/** What a run came to, how sure that is, and how each golden went. */
export function RunView({ run, search, onChange }: RunViewProps) {
  const isRunning = run.status === "running";
  const replays = useEveryPage(useReplays(run.id, {}, isRunning));
  const place = search.agent !== undefined && search.agent < run.agents.length ? search.agent : 0;
  const chosen = run.agents[place];
  const report = run.reports.find(({ agent }) => agent.id === chosen?.id && agent.version === chosen.version) ?? null;
  return (
    <>
      <PageHeader title={run.name} description={<About run={run} />} actions={<Acts run={run} />} />
      {run.kind === "experiment" && <OfExperiment run={run} />}
      {isRunning && <RunProgress run={run} />}
      {run.stopped !== null && (
        <Alert color="gray" role="note" mb="md" title="This run was stopped">
          {STOPPED_WORDS[run.stopped] ?? `It stopped: ${run.stopped}.`} {run.done} of {run.replays} replays are compared, and count.
        </Alert>
      )}
      {run.reports.map((each, at) => (
        <Verdict key={`${each.agent.id} ${each.agent.version}`} report={each} run={run} isFirst={at === 0} />
      ))}
      <IntervalPlot reports={run.reports} margin={run.margin} />
      <RunJudging run={run} />
      {chosen && <RunGoldens run={run} report={report} place={place} agent={chosen} replays={replays} search={search} onChange={onChange} />}
    </>
  );
}

function About({ run }: { run: EvalRunDetail }) {
  return (
    <>
      <RunBadge run={run} /> {run.kind !== "run" && `${KIND_LOOK[run.kind].label} · `}Set{" "}
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/evals" search={{ set: run.setName }} {...props} />}>
        {run.setName}
      </Anchor>
      , version {run.setVersion} · {plural(run.repeats, "repeat")} · tools answer: {MODE_LOOK[run.mode].label.toLowerCase()} · knowledge:{" "}
      {CONTEXT_LOOK[run.context].label.toLowerCase()} · began <RelativeTime value={run.createdAt} />, by {partyName(run.createdBy)}
      {run.commitSha && (
        <>
          {" · commit "}
          <code>{run.commitSha.slice(0, 12)}</code>
        </>
      )}
    </>
  );
}

/** Half of the knowledge was taken out on purpose: what its replays came to says nothing about the agent. */
function OfExperiment({ run: { id, confirmsId } }: { run: EvalRunDetail }) {
  return (
    <Alert color="gray" role="note" mb="md">
      These replays had only a part of the knowledge that applies, drawn by lot: their pass rate says nothing about the agent. What they show is on the page of the{" "}
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/evals/experiments/$id" params={{ id: confirmsId ?? id }} {...props} />}>
        experiment
      </Anchor>
      .
    </Alert>
  );
}

function Acts({ run }: { run: EvalRunDetail }) {
  const may = useCan()("evals.team.manage");
  const { cancel, see } = useRunActions();
  const [isAgain, setAgain] = useState(false);
  if (!may) return null;
  const askToCancel = () =>
    confirmDanger({
      title: "Cancel this run?",
      children: "What is compared stays. The replays that have not begun never will.",
      action: "Cancel run",
      onConfirm: () =>
        cancel.mutate(run.id, {
          onSuccess: () => notifyDone("The run was cancelled."),
          onError: (error) => notifyProblem("The run was not cancelled", error),
        }),
    });
  return (
    <>
      {run.waits && (
        <Button
          variant="default"
          leftSection={<CheckIcon />}
          loading={see.isPending}
          onClick={() =>
            see.mutate(run.id, {
              onSuccess: () => notifyDone("It does not wait in the inbox any more."),
              onError: (error) => notifyProblem("This was not saved", error),
            })
          }
        >
          I have seen it
        </Button>
      )}
      {run.status === "running" ? (
        <Button variant="default" loading={cancel.isPending} onClick={askToCancel}>
          Cancel run
        </Button>
      ) : (
        run.setId !== null &&
        run.kind !== "experiment" && (
          <Button variant="default" leftSection={<ReloadIcon />} onClick={() => setAgain(true)}>
            Replay again…
          </Button>
        )
      )}
      <ReplayDialog target={isAgain ? targetOf(run, draftOfRun(run)) : null} onClose={() => setAgain(false)} />
    </>
  );
}

function targetOf(run: EvalRunDetail, draft: RunDraft): ReplayTarget {
  return run.goldenId === null ? { set: { name: run.setName }, draft } : { golden: { sessionId: run.goldenId }, draft };
}

function RunProgress({ run }: { run: EvalRunDetail }) {
  return (
    <Paper withBorder radius="lg" p="md" mb="md">
      <Group justify="space-between" mb={8} gap="sm">
        <Text size="sm" fw={550} role="status">
          {run.done} of {plural(run.replays, "replay")} compared
        </Text>
        <Text size="sm" c="dimmed">
          {run.passed} passed, {run.failed} failed, {run.inconclusive} inconclusive, {plural(run.errors, "error")}
        </Text>
      </Group>
      <Progress value={run.replays === 0 ? 0 : (100 * run.done) / run.replays} aria-label="Replays that are compared" />
      <Text size="xs" c="dimmed" mt={8}>
        The verdict comes with the last one. Estimate: {estimateLine(run.estimate)}.
      </Text>
    </Paper>
  );
}

interface VerdictProps {
  report: EvalReport;
  run: EvalRunDetail;
  isFirst: boolean;
}

/** The verdict about one agent in one line, and below it what the run could see at all. */
function Verdict({ report, run, isFirst }: VerdictProps) {
  const heading = useId();
  const { agent, baseline, verdict } = report;
  const difference = differenceLine(report);
  const power = powerLine(report);
  const compared = report.goldens.filter((golden) => golden.baseline !== null).length;
  return (
    <Paper withBorder radius="lg" p="md" mb="md" component="section" aria-labelledby={heading}>
      <Title order={2} size="h3" id={heading} className={classes.verdict}>
        {verdict !== null && <VerdictBadge verdict={verdict} size="lg" />}
        <span>{difference ?? `${percent(report.passRate)} of its replays pass`}</span>
      </Title>
      <Text size="sm" mt={6}>
        <bdi>{agentName(agent)}</bdi>
        {baseline ? (
          <>
            {" "}
            against <bdi>{agentName(baseline)}</bdi>
          </>
        ) : (
          ", compared with nobody"
        )}{" "}
        · n = {plural(baseline ? compared : report.goldens.length, "golden")} · k = {plural(run.repeats, "repeat")}
      </Text>
      {run.baseline && !baseline && report.replays > 0 && (
        <Text size="sm" role="note">
          <bdi>{agentName(run.baseline)}</bdi>, has no replays of these goldens that were made in this way (tools answer:{" "}
          {MODE_LOOK[run.mode].label.toLowerCase()}, knowledge: {CONTEXT_LOOK[run.context].label.toLowerCase()}), so nothing is compared.
        </Text>
      )}
      {power && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {power}
          </Text>
          <BuyRepeats run={run} report={report} />
        </Group>
      )}
      <dl className={classes.figures}>
        <Figure name="Pass rate">
          {percent(report.passRate)}
          {report.passRateLow !== null && report.passRateHigh !== null && (
            <Text span size="xs" c="dimmed">
              {" "}
              ({percent(report.passRateLow)} to {percent(report.passRateHigh)})
            </Text>
          )}
        </Figure>
        <Figure name="Replays">
          {report.passed} passed, {report.failed} failed
        </Figure>
        {report.goldensLikeThese && <Figure name="Goldens like these">{interval(...report.goldensLikeThese)}</Figure>}
        {report.midP !== null && <Figure name="Mid-p">{formatP(report.midP)}</Figure>}
        {report.adjustedP !== null && run.reports.length > 1 && <Figure name="Adjusted for all agents">{formatP(report.adjustedP)}</Figure>}
        <Figure name="Cost">
          {dollars(report.cost)}
          <UseChange own={report.use.cost} baseline={report.baselineUse?.cost} />
        </Figure>
        <Figure name="Tokens">
          {report.tokens.toLocaleString("en")}
          <UseChange own={report.use.tokens} baseline={report.baselineUse?.tokens} />
        </Figure>
        <Figure name="Time of a replay">
          {seconds(report.seconds)}
          <UseChange own={report.use.seconds} baseline={report.baselineUse?.seconds} />
        </Figure>
      </dl>
      {run.kind === "run" && report.failed > 0 && (
        <Text size="sm" mt={6}>
          {plural(report.failed, "replay")} failed:{" "}
          <Anchor
            size="sm"
            underline="always"
            renderRoot={(props) => <Link to="/admin/agent-review/feedback/all" search={{ agent: agent.slug, source: "session" }} {...props} />}
          >
            feedback about {agent.slug}
          </Anchor>
        </Text>
      )}
      {isFirst && run.confirmed !== null && (
        <Text size="sm" mt={6}>
          {run.confirmed ? "Fresh repeats confirm it." : "Fresh repeats do not confirm it: it was chance."}
        </Text>
      )}
    </Paper>
  );
}

/** As many repeats as a change of 10 points takes, at a press. */
function BuyRepeats({ run, report }: { run: EvalRunDetail; report: EvalReport }) {
  const may = useCan()("evals.team.manage");
  const [opened, setOpened] = useState(false);
  const repeats = repeatsToBuy(report);
  if (!may || repeats === null || run.status === "running" || run.setId === null) return null;
  const { slug: agent, version } = report.agent;
  return (
    <>
      <Button variant="light" size="compact-xs" onClick={() => setOpened(true)}>
        {`Replay with ${repeats} repeats…`}
      </Button>
      <ReplayDialog target={opened ? targetOf(run, { ...draftOfRun(run), agents: [{ agent, version }], repeats }) : null} onClose={() => setOpened(false)} />
    </>
  );
}

/** How much more or less one replay uses than one of the baseline. */
function UseChange({ own, baseline }: { own: number | null; baseline: number | null | undefined }) {
  const words = changeOfUse(own, baseline);
  return (
    words && (
      <Text span size="xs" c="dimmed">
        {` (${words})`}
      </Text>
    )
  );
}

function formatP(p: number): string {
  return p < 0.001 ? "below 0.001" : p.toFixed(3);
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
