import { Anchor, Badge, Box, Paper, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { EvalRunDetail, JudgedRate, ReplayDetail } from "@/api/types";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { METHOD, correctedLine } from "../lib/judges";
import { JUDGING_LOOK, agreementLine, judgingCounts, ratingRows } from "../lib/judging";
import { percent } from "../lib/numbers";
import { LicenceBadge } from "./LicenceBadge";
import classes from "./evals.module.css";

const ADVISORY = "No outcome and no verdict depends on what a judge says";

/** That a judge is not to be relied on by itself. */
function AdvisoryBadge() {
  return (
    <Badge component="span" size="sm" color="gray" variant="outline" title={ADVISORY} miw="max-content">
      Advisory
    </Badge>
  );
}

/** How the replays of a run were judged, beside how they were compared. */
export function RunJudging({ run: { judging, passed, failed } }: { run: EvalRunDetail }) {
  const heading = useId();
  if (judging === null) return null;
  return (
    <Paper withBorder radius="lg" p="md" mb="md" component="section" aria-labelledby={heading}>
      <Title order={2} size="h3" id={heading} className={classes.verdict}>
        <span>Judge</span>
        {judging.rates.length === 0 && <AdvisoryBadge />}
      </Title>
      <Text size="sm" mt={6}>
        {judgingCounts(judging)}. {ADVISORY}.
      </Text>
      {judging.withheld && (
        <Text size="sm" c="dimmed" mt={6} role="note">
          People are labelling replays of this run: its figures would tell them what the judge says, and are withheld until they are done.
        </Text>
      )}
      {judging.judged > 0 && judging.passed !== null && (
        <dl className={classes.figures}>
          <div>
            <dt>Meet their rubric</dt>
            <dd>
              {percent(judging.passed / judging.judged)} ({judging.passed} of {judging.judged})
            </dd>
          </div>
          <div>
            <dt>Pass by comparison</dt>
            <dd>{passed + failed === 0 ? "–" : percent(passed / (passed + failed))}</dd>
          </div>
          <div>
            <dt>Agreement with the comparison</dt>
            <dd>{agreementLine(judging)}</dd>
          </div>
        </dl>
      )}
      {judging.rates.length > 0 && <Rates rates={judging.rates} />}
    </Paper>
  );
}

/** What each judge says of each agent, beside what that comes to without its errors. */
function Rates({ rates }: { rates: readonly JudgedRate[] }) {
  return (
    <Box mt="sm">
      <DataTable label="Rates by judge" columns={RATES} rows={rates} rowKey={({ judgeId, agentId, agentVersion }) => `${judgeId} ${agentId} ${agentVersion}`} />
    </Box>
  );
}

const RATES: Column<JudgedRate>[] = [
  {
    key: "judge",
    header: "Judge",
    cell: ({ judgeId, rubric }) => (
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/evals/judges/$id" params={{ id: judgeId }} {...props} />}>
        {rubric}
      </Anchor>
    ),
  },
  { key: "agent", header: "Agent", cell: ({ agent, agentVersion }) => `${agent} v${agentVersion}` },
  { key: "raw", header: "As it says", cell: ({ rate, passed, replays }) => <span className={classes.number}>{`${percent(rate)} (${passed} of ${replays})`}</span> },
  {
    key: "corrected",
    header: "Corrected",
    cell: (rate) => (
      <div>
        {correctedLine(rate)}
        {rate.corrected && (
          <Text size="xs" c="dimmed">
            {METHOD[rate.corrected.method]}
          </Text>
        )}
      </div>
    ),
  },
  { key: "licence", header: "Licence", cell: ({ licence }) => <LicenceBadge licence={licence} /> },
];

/** What a judge says of a replay, rating by rating, or why it says nothing. */
export function ReplayJudgement({ replay: { judging, rubric } }: { replay: ReplayDetail }) {
  const heading = useId();
  if (judging === null) return null;
  const { label, color, sign, means } = JUDGING_LOOK[judging.state];
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <Title order={2} size="h3" id={heading} mb="xs" className={classes.verdict}>
        <span>Judge</span>
        <Badge component="span" size="sm" color={color} title={means} miw="max-content" leftSection={<span aria-hidden>{sign}</span>}>
          {label}
        </Badge>
        <AdvisoryBadge />
      </Title>
      {judging.withheld && (
        <Text size="sm">People are labelling it: what the judge says is told when they have.</Text>
      )}
      {judging.reason && (
        <Text size="sm" className={classes.words}>
          {judging.reason}
        </Text>
      )}
      {rubric && (
        <>
          <Text size="sm">
            {rubric.passed ? "It meets the rubric" : "It does not meet the rubric"} <bdi>{rubric.rubric}</bdi>
            {rubric.overall === null ? "; it has no score" : `: ${percent(rubric.overall)} overall`}.{" "}
            {rubric.judge.model && (
              <>
                By <bdi>{rubric.judge.model}</bdi>.
              </>
            )}
          </Text>
          <div className={classes.details}>
            <table className={classes.scores} aria-label="What the judge says">
              <thead>
                <tr>
                  <th scope="col">Rating</th>
                  <th scope="col">Verdict</th>
                  <th scope="col">Score</th>
                  <th scope="col">Why</th>
                </tr>
              </thead>
              <tbody>
                {ratingRows(rubric).map((row) => (
                  <tr key={row.key}>
                    <th scope="row">{row.label}</th>
                    <td className={classes.number}>{row.verdict}</td>
                    <td className={classes.number}>{row.score}</td>
                    <td className={classes.words}>{row.rationale}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      {judging.sessionId && (
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: judging.sessionId ?? "" }} {...props} />}>
          Session of the judge
        </Anchor>
      )}
    </section>
  );
}
