import { Alert, Anchor, Button, Group, Paper, Progress, Text, Title } from "@mantine/core";
import { ReloadIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import type { ExperimentDetail } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { staleLine } from "@/features/knowledge/lib/value";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { RelativeTime } from "@/ui/RelativeTime";
import { useExperimentActions } from "../hooks/useExperiments";
import { draftOfExperiment, isOver, nextStep, verdictLine } from "../lib/experiments";
import { dollars } from "../lib/numbers";
import { MODE_LOOK, STOPPED_WORDS, plural } from "../lib/words";
import { ExperimentMethod } from "./ExperimentMethod";
import { ExperimentRows } from "./ExperimentRows";
import { ExperimentBadge } from "./ExperimentsList";
import { MeasureDialog } from "./MeasureDialog";
import classes from "./evals.module.css";

/** What an experiment came to in words, then the figures of each row, then how they were made. */
export function ExperimentView({ experiment }: { experiment: ExperimentDetail }) {
  const { status, stopped, stale, staleBecause } = experiment;
  return (
    <div data-wide>
      <PageHeader title={experiment.name} description={<About experiment={experiment} />} actions={<Acts experiment={experiment} />} />
      {status === "completed" && stale && (
        <Alert color="gray" role="note" mb="md" title="These figures are old">
          {staleLine(staleBecause).replace("it says", "a row says")} They say what was true then. Measure again to know what holds now.
        </Alert>
      )}
      {stopped !== null && (
        <Alert color="gray" role="note" mb="md" title="This experiment was stopped">
          {STOPPED_WORDS[stopped] ?? `It stopped: ${stopped}.`} {experiment.done.toLocaleString("en")} of {plural(experiment.replays, "replay")} are compared, and later
          experiments reuse them.
        </Alert>
      )}
      {!isOver(experiment) && <ExperimentProgress experiment={experiment} />}
      <Verdict experiment={experiment} />
      <ExperimentRows experiment={experiment} />
      <ExperimentMethod experiment={experiment} />
    </div>
  );
}

function About({ experiment }: { experiment: ExperimentDetail }) {
  const { setName, setVersion, agent, model, mode, createdAt, createdBy } = experiment;
  return (
    <>
      <ExperimentBadge experiment={experiment} /> Goldens{" "}
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/evals" search={{ set: setName }} {...props} />}>
        {setName}
      </Anchor>
      , version {setVersion} · <bdi>{agent.slug}</bdi>, version {agent.version}
      {model && ` · ${model}`} · tools answer: {MODE_LOOK[mode].label.toLowerCase()} · began <RelativeTime value={createdAt} />, by {partyName(createdBy)}
    </>
  );
}

function Acts({ experiment }: { experiment: ExperimentDetail }) {
  const may = useCan()("evals.team.manage");
  const { cancel } = useExperimentActions();
  const [isAgain, setAgain] = useState(false);
  if (!may) return null;
  const askToCancel = () =>
    confirmDanger({
      title: "Cancel this experiment?",
      children: "No row gets a value of it. What is compared stays, and later experiments reuse it.",
      action: "Cancel experiment",
      onConfirm: () =>
        cancel.mutate(experiment.id, {
          onSuccess: () => notifyDone("The experiment was cancelled."),
          onError: (error) => notifyProblem("The experiment was not cancelled", error),
        }),
    });
  return (
    <>
      {isOver(experiment) ? (
        experiment.setId !== null && (
          <Button variant="default" leftSection={<ReloadIcon />} onClick={() => setAgain(true)}>
            Measure again…
          </Button>
        )
      ) : (
        <Button variant="default" loading={cancel.isPending} onClick={askToCancel}>
          Cancel experiment
        </Button>
      )}
      <MeasureDialog asked={isAgain ? { draft: draftOfExperiment(experiment) } : null} onClose={() => setAgain(false)} />
    </>
  );
}

/** How far it is, and in which of its two parts. */
function ExperimentProgress({ experiment: { status, design, confirms, done, replays, errors } }: { experiment: ExperimentDetail }) {
  const isConfirming = status === "confirming";
  return (
    <Paper withBorder radius="lg" p="md" mb="md">
      <Group justify="space-between" mb={8} gap="sm">
        <Text size="sm" fw={550} role="status">
          {done.toLocaleString("en")} of {plural(replays, "replay")} compared
        </Text>
        {errors > 0 && (
          <Text size="sm" c="dimmed">
            {plural(errors, "error")} of the infrastructure, which count for nothing
          </Text>
        )}
      </Group>
      <Progress value={replays === 0 ? 0 : (100 * done) / replays} aria-label="Replays that are compared" />
      {design === "halves" && confirms ? (
        <ol className={classes.stages}>
          <li aria-current={isConfirming ? undefined : "step"}>All rows together, each replay with a random half</li>
          <li aria-current={isConfirming ? "step" : undefined}>What shows an effect, one row at a time</li>
        </ol>
      ) : (
        <Text size="xs" c="dimmed" mt={8}>
          {design === "pairs" ? "One row at a time, each golden with it and without it." : "All rows together, each replay with a random half."}
        </Text>
      )}
    </Paper>
  );
}

/** One line for a busy reader, what to do next, and what it took. */
function Verdict({ experiment }: { experiment: ExperimentDetail }) {
  const heading = useId();
  const mayManage = useCan()("knowledge.team.manage");
  const { goldens, replays, done, reused, tokens, estimatedTokens, cost, id, confirmationId, confirms, design } = experiment;
  const next = nextStep(experiment);
  const waits = experiment.results.some(({ confirmed, label }) => confirmed && (label === "harmful" || label === "measured"));
  return (
    <Paper withBorder radius="lg" p="md" mb="lg" component="section" aria-labelledby={heading}>
      <Title order={2} size="h3" id={heading} className={classes.verdict}>
        {verdictLine(experiment)}
      </Title>
      {next && (
        <Text size="sm" mt={6}>
          {next}{" "}
          {waits && mayManage && (
            <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/knowledge" search={{ state: "waits" }} {...props} />}>
              Knowledge that waits
            </Anchor>
          )}
        </Text>
      )}
      <dl className={classes.figures}>
        <Figure name="Goldens">{goldens.toLocaleString("en")}</Figure>
        <Figure name="Replays">
          {done === replays ? replays.toLocaleString("en") : `${done.toLocaleString("en")} of ${replays.toLocaleString("en")}`}
          {reused > 0 && ` and ${reused.toLocaleString("en")} reused`}
        </Figure>
        <Figure name="Tokens">{tokens === null ? `About ${estimatedTokens.toLocaleString("en")} foreseen` : tokens.toLocaleString("en")}</Figure>
        <Figure name="Cost">{cost === null ? "Not known" : dollars(cost)}</Figure>
        <Figure name="Look at its replays">
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/evals/runs/$id" params={{ id }} {...props} />}>
            {design === "pairs" ? "With and without" : "All together"}
          </Anchor>
          {confirmationId && (
            <>
              {", "}
              <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/evals/runs/$id" params={{ id: confirmationId }} {...props} />}>
                one at a time
              </Anchor>
            </>
          )}
        </Figure>
        {design === "halves" && !confirms && <Figure name="Confirmed by pairs">Not asked for</Figure>}
      </dl>
    </Paper>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
