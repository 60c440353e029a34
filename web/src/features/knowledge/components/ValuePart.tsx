import { Alert, Anchor, Badge, Button, Group, Kbd, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import type { Knowledge, KnowledgeDetail, MeasuredValue, PairedEvidence } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { IntervalMark } from "@/ui/chart/IntervalMark";
import { Loaded } from "@/ui/Loaded";
import { RelativeTime } from "@/ui/RelativeTime";
import { useValues } from "../hooks/useKnowledge";
import { type KnowledgeAct, stepLabel } from "../lib/keys";
import { LABEL_LOOK, evidenceWords, figureOf, fixed, isMeasurable, lostWords, pairsWords, proposalOf, staleLine, valueOf, valueScale, valueSentence } from "../lib/value";
import classes from "./knowledge.module.css";

interface ValuePartProps {
  row: KnowledgeDetail;
  mayMeasure: boolean;
  onAsk: (act: KnowledgeAct, row: Knowledge) => void;
}

/** What a row is worth: a figure with its interval, on what it was measured, what is proposed on it, and what was found before. */
export function ValuePart({ row, mayMeasure, onAsk }: ValuePartProps) {
  const heading = useId();
  const { value } = row;
  const proposal = proposalOf(row);
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <div className={classes.partHead}>
        <Title order={4} size="h3" id={heading}>
          What it is worth
        </Title>
        {mayMeasure && isMeasurable(row) && (
          <Button
            size="compact-xs"
            variant="default"
            rightSection={
              <Kbd size="xs" visibleFrom="md" aria-hidden>
                m
              </Kbd>
            }
            onClick={() => onAsk("measure", row)}
          >
            {value ? "Measure again…" : "Measure…"}
          </Button>
        )}
      </div>
      {proposal && (
        <Alert color={proposal.color} py={8} mt="xs" role="note">
          <Group justify="space-between" gap="xs">
            <Text size="sm" flex="1 1 220px">
              {proposal.words}
            </Text>
            <Button size="compact-xs" variant="default" onClick={() => onAsk(proposal.step, row)}>
              {stepLabel(proposal.step, row.state)}…
            </Button>
          </Group>
        </Alert>
      )}
      {value ? (
        <>
          <Measured value={value} />
          <Earlier id={row.id} />
        </>
      ) : (
        <Text size="sm" c="dimmed" mt={6}>
          {row.state === "active" ? "A person approved it, and nobody has measured it. " : "Nobody has measured it. "}
          An experiment replays goldens with it and without it, and says how much more often they pass.
        </Text>
      )}
    </section>
  );
}

function Measured({ value }: { value: MeasuredValue }) {
  const { label, color, sign, means } = LABEL_LOOK[value.label];
  const figure = figureOf(value);
  const isKnown = figure !== null && value.label !== "unmeasured";
  const scale = figure && valueScale([figure]);
  const lost = lostWords(value.lost_with, value.lost_without);
  return (
    <div className={classes.measured} data-old={value.stale || undefined}>
      {value.stale && (
        <Text size="sm" role="note" className={classes.old}>
          {staleLine(value.stale_because)} Measure it again to know what it is worth now.
        </Text>
      )}
      <div className={classes.measuredHead}>
        {isKnown && (
          <span className={classes.measuredFigure}>
            {figure.delta > 0 && "+"}
            {fixed(figure.delta)}
            <Text span size="sm" c="dimmed" fw={400}>
              {" "}
              points ({fixed(figure.low)} to {fixed(figure.high)})
            </Text>
          </span>
        )}
        <Badge component="span" size="sm" color={value.stale ? "gray" : color} title={means} miw="max-content" leftSection={<span aria-hidden>{sign}</span>}>
          {value.reason === "never_applied" ? "Never applied" : label}
        </Badge>
        {isKnown && (value.label === "measured" || value.label === "harmful") && (
          <Badge component="span" size="sm" color="gray" title="Whether pairs of replays with it and without it say so too" miw="max-content">
            {value.confirmed ? "Confirmed" : "Not confirmed"}
          </Badge>
        )}
      </div>
      <Text size="sm">{valueSentence(value)}</Text>
      {lost && (
        <Text size="sm" c="dimmed">
          {lost}.
        </Text>
      )}
      {isKnown && scale && (
        <div className={classes.measuredMark}>
          <IntervalMark value={figure.delta} low={figure.low} high={figure.high} scale={scale} isPale={value.stale} label={fixed} />
        </div>
      )}
      <dl className={classes.measuredFacts}>
        <Fact name="Agent">
          <bdi>{value.agent}</bdi>, version {value.agent_version}
        </Fact>
        <Fact name="Model">{value.model ?? "Not known: whoever runs the agent chooses it"}</Fact>
        <Fact name="Goldens">
          <bdi>{value.set}</bdi>, version {value.set_version}
        </Fact>
        <Fact name="Tokens">{value.tokens.toLocaleString("en")} in each prompt</Fact>
        <Fact name="Measured">
          <Experiment value={value}>
            <RelativeTime value={value.measured_at} />
          </Experiment>
        </Fact>
      </dl>
      <Pairs name="Goldens that it was learnt from" pairs={value.targeted} />
      <Pairs name="Other goldens" pairs={value.guard} />
      {(value.targeted ?? value.guard) && (
        <Text size="xs" c="dimmed" mt={6}>
          Evidence may be looked at any time; 20 is enough. A row that does nothing ever comes to it at most once in 20.
          {value.harm_excluded !== null && ` That it spoils more than ${Math.round(value.harm_excluded * 100)}% of goldens like these is ruled out, by the number of goldens.`}
        </Text>
      )}
    </div>
  );
}

function Pairs({ name, pairs }: { name: string; pairs: PairedEvidence | null }) {
  if (!pairs) return null;
  return (
    <div className={classes.pairs}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm">{pairsWords(pairs)}.</Text>
      <Text size="sm">{evidenceWords(pairs)}.</Text>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A way to the experiment, for whoever may look at it. */
function Experiment({ value, children }: { value: MeasuredValue; children: ReactNode }) {
  const may = useCan()("evals.team.review");
  if (!may) return children;
  return (
    <Anchor
      size="sm"
      c="inherit"
      underline="always"
      renderRoot={(props) => <Link to="/admin/agent-review/evals/experiments/$id" params={{ id: value.experiment_id }} {...props} />}
    >
      {children}
    </Anchor>
  );
}

/** Every measurement of it, on demand. */
function Earlier({ id }: { id: string }) {
  const [opened, setOpened] = useState(false);
  const query = useValues(id, opened);
  return (
    <details className={classes.earlier} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>All measurements</summary>
      {opened && (
        <Loaded query={query} what="measurements">
          {(values) => (
            <ol className={classes.history}>
              {values.map((value) => (
                <li key={value.experiment_id}>
                  <Text size="sm" data-old={value.stale || undefined}>
                    {valueOf({ value: { ...value, stale: false }, state: "shadow" })}
                  </Text>
                  <Text size="xs" c="dimmed">
                    <Experiment value={value}>
                      <RelativeTime value={value.measured_at} />
                    </Experiment>{" "}
                    · <bdi>{value.agent}</bdi> v{value.agent_version} · <bdi>{value.set}</bdi>
                    {value.model && ` · ${value.model}`}
                    {value.stale && ` · ${staleLine(value.stale_because)}`}
                  </Text>
                </li>
              ))}
            </ol>
          )}
        </Loaded>
      )}
    </details>
  );
}
