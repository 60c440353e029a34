import { Alert, Anchor, Button, Group, List, NumberInput, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { EvalJudgeDetail, JudgeDisagreement } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PageHeader } from "@/ui/PageHeader";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useDisagreements, useJudgeActs } from "../hooks/useJudges";
import { LICENCE_LOOK, boundTo, goldensLine, judgeTitle, kappaLine, shareLine, wantedLine } from "../lib/judges";
import { plural } from "../lib/words";
import { LicenceBadge } from "./LicenceBadge";
import classes from "./evals.module.css";

/** One judge: whether it may decide, what people say of what it said, and where they differ. */
export function JudgeView({ judge }: { judge: EvalJudgeDetail }) {
  return (
    <>
      <PageHeader title={judgeTitle(judge)} description={judge.description} />
      <Licence judge={judge} />
      <Evidence judge={judge} />
      <Disagreements judge={judge} />
    </>
  );
}

function Licence({ judge }: { judge: EvalJudgeDetail }) {
  const heading = useId();
  const mayManage = useCan()("evals.team.manage");
  const { license, withdraw } = useJudgeActs(judge.id);
  const { licence, currentLicence } = judge;
  const issue = () =>
    license.mutate(undefined, {
      onSuccess: () => notifyDone("The judge has a licence."),
      onError: (error) => notifyProblem("The judge has no licence", error),
    });
  return (
    <Paper withBorder radius="lg" p="md" mb="md" component="section" aria-labelledby={heading}>
      <Title order={2} size="h3" id={heading} className={classes.verdict}>
        <span>{LICENCE_LOOK[licence.status].means}</span>
        <LicenceBadge licence={licence} />
      </Title>
      {licence.reasons.length > 0 && (
        <List size="sm" mt="xs" aria-label="Why it only advises">
          {licence.reasons.map(({ code, message }) => (
            <List.Item key={code}>{message}</List.Item>
          ))}
        </List>
      )}
      {currentLicence && (
        <Text size="sm" mt="xs">
          Issued <RelativeTime value={currentLicence.issuedAt} /> by <bdi>{currentLicence.issuedBy.name ?? "somebody who is gone"}</bdi>, runs out{" "}
          <RelativeTime value={currentLicence.expiresAt} />. It rests on {plural(currentLicence.labelled, "label")}
          {currentLicence.goldens !== null && ` of ${plural(currentLicence.goldens, "golden")}`}.
        </Text>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        {boundTo(judge)}: a licence is of these three, and void where one of them changes.
      </Text>
      {mayManage && (licence.canBeIssued || currentLicence) && (
        <Group mt="md">
          {licence.canBeIssued && (
            <Button variant={currentLicence ? "default" : "filled"} loading={license.isPending} onClick={issue}>
              {currentLicence ? "Renew the licence" : "Issue a licence"}
            </Button>
          )}
          {currentLicence && (
            <Button
              variant="default"
              loading={withdraw.isPending}
              onClick={() =>
                confirmDanger({
                  title: "Withdraw the licence?",
                  children: "No run is held to what this judge says any more. A new licence takes labels that bear it.",
                  action: "Withdraw",
                  onConfirm: () =>
                    withdraw.mutate(currentLicence.id, {
                      onSuccess: () => notifyDone("The licence is withdrawn."),
                      onError: (error) => notifyProblem("The licence was not withdrawn", error),
                    }),
                })
              }
            >
              Withdraw the licence
            </Button>
          )}
        </Group>
      )}
    </Paper>
  );
}

function Evidence({ judge }: { judge: EvalJudgeDetail }) {
  const heading = useId();
  const { evidence } = judge;
  const { confusion } = evidence;
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <Title order={2} size="h3" id={heading} mb="xs">
        Beside people
      </Title>
      <dl className={classes.figures}>
        <Figure name="Agreement beyond chance">{kappaLine({ kappa: evidence.kappa, low: evidence.low, labelled: evidence.labelled })}</Figure>
        <Figure name="Passes what people pass">{shareLine(evidence.tpr)}</Figure>
        <Figure name="Fails what people fail">{shareLine(evidence.tnr)}</Figure>
        <Figure name="Goldens">{goldensLine(evidence)}</Figure>
        <Figure name="People among themselves">
          {evidence.alpha === null ? `${evidence.twice} labelled twice` : `alpha ${evidence.alpha.toFixed(2)}, n = ${evidence.twice}`}
        </Figure>
      </dl>
      {evidence.labelled > 0 && (
        <div className={classes.details}>
          <table className={classes.scores} aria-label="Labelled replays">
            <thead>
              <tr>
                <td />
                <th scope="col">People pass</th>
                <th scope="col">People fail</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">Judge passes</th>
                <td className={classes.number}>{confusion.byBoth}</td>
                <td className={classes.number}>{confusion.byJudge}</td>
              </tr>
              <tr>
                <th scope="row">Judge fails</th>
                <td className={classes.number}>{confusion.byPeople}</td>
                <td className={classes.number}>{confusion.byNeither}</td>
              </tr>
            </tbody>
          </table>
          {evidence.undecided > 0 && (
            <Text size="sm" c="dimmed" mt="xs">
              {evidence.undecided} more could not be told by people.
            </Text>
          )}
        </div>
      )}
      <Labelling judge={judge} />
    </section>
  );
}

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const MOST_DRAWN = 500; // the server's limit

/** What people are still wanted for: a sample that is open, or one to be drawn. */
function Labelling({ judge: { id, openSampleId, wanted, unsampled } }: { judge: EvalJudgeDetail }) {
  const can = useCan();
  const { draw, stop } = useJudgeActs(id);
  const [size, setSize] = useState<number | null>(null);
  const shown = size ?? wanted.draw ?? Math.min(unsampled, 50);
  const line = wantedLine(wanted);
  if (openSampleId) {
    return (
      <Alert color="gold" title="People are labelling it" mt="md">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">What they say is told once all of the sample is labelled, so that nobody is led by it.</Text>
          <Group>
            {can("evals.team.label") && (
              <Button size="xs" renderRoot={(props) => <Link to="/admin/agent-review/evals/labelling" search={{ sample: openSampleId }} {...props} />}>
                Label replays
              </Button>
            )}
            {can("evals.team.manage") && (
              <Button
                size="xs"
                variant="default"
                loading={stop.isPending}
                onClick={() =>
                  stop.mutate(openSampleId, {
                    onSuccess: () => notifyDone("The sample has ended; what is labelled counts."),
                    onError: (error) => notifyProblem("The sample was not ended", error),
                  })
                }
              >
                End the sample
              </Button>
            )}
          </Group>
        </Stack>
      </Alert>
    );
  }
  return (
    <Stack gap="sm" mt="md" align="flex-start">
      <Text size="sm">
        {line ? `${line}.` : "There are labels enough."} {unsampled === 0 ? "Every judged replay is in a sample." : `${plural(unsampled, "judged replay")} ${unsampled === 1 ? "is" : "are"} in no sample yet.`}
      </Text>
      {can("evals.team.manage") && unsampled > 0 && (
        <Group align="end">
          <NumberInput
            label="Replays to label"
            w={140}
            min={1}
            max={Math.min(unsampled, MOST_DRAWN)}
            allowDecimal={false}
            clampBehavior="strict"
            value={shown}
            onChange={(value) => setSize(typeof value === "number" ? value : null)}
          />
          <Button
            variant={line ? "filled" : "default"}
            loading={draw.isPending}
            disabled={shown < 1}
            onClick={() =>
              draw.mutate(shown, {
                onSuccess: () => notifyDone("The sample is drawn, and waits for people."),
                onError: (error) => notifyProblem("No sample was drawn", error),
              })
            }
          >
            Draw a sample
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Disagreements({ judge }: { judge: EvalJudgeDetail }) {
  const heading = useId();
  const list = useDisagreements(judge.id);
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <Title order={2} size="h3" id={heading} mb="xs">
        Where they differ
      </Title>
      <PagedRows
        list={list}
        what="disagreements"
        empty={
          <Text size="sm" c="dimmed" className={classes.none}>
            {judge.evidence.labelled > 0 ? "The judge and people say the same of all that is labelled." : judge.openSampleId ? "It is told once the sample is labelled." : "Nobody has labelled what it judged."}
          </Text>
        }
      >
        {(rows) => (
          <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
            {rows.map((row) => (
              <Disagreement key={row.replayId} row={row} />
            ))}
          </Stack>
        )}
      </PagedRows>
    </section>
  );
}

function Disagreement({ row }: { row: JudgeDisagreement }) {
  return (
    <Paper component="li" withBorder radius="md" p="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={550}>
          The judge {row.judgePassed ? "passes" : "fails"} it, people {row.peoplePassed ? "pass" : "fail"} it
        </Text>
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => <Link to="/admin/agent-review/evals/replays/$id" params={{ id: row.replayId }} {...props} />}
        >
          Replay
        </Anchor>
      </Group>
      {row.verdicts.map(({ key, label, rationale }) => (
        <Text key={key} size="sm" className={classes.words}>
          <Text span c="dimmed">
            {label}:{" "}
          </Text>
          {rationale}
        </Text>
      ))}
      {row.labels
        .filter(({ note }) => note)
        .map(({ id, note, labelledBy }) => (
          <Text key={id} size="sm" className={classes.words}>
            <Text span c="dimmed">
              {labelledBy.name ?? "Somebody"}:{" "}
            </Text>
            {note}
          </Text>
        ))}
    </Paper>
  );
}
