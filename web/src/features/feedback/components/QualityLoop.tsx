import { Button, Group, NumberInput, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { FeedbackSettings, QualityLoopReport } from "@/api/types";
import { PeriodSelect } from "@/features/conversations/components/PeriodSelect";
import { Loaded } from "@/ui/Loaded";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useFeedbackSettings, useQualityLoop } from "../hooks/useLoop";
import { type Figure, hoursFigure, scoreFigure, shareFigure } from "../lib/loop";
import type { QualitySearch } from "../lib/search";
import { plural } from "../lib/words";
import classes from "./feedback.module.css";

interface QualityLoopProps {
  search: QualitySearch;
  onChange: (change: Partial<QualitySearch>) => void;
}

/** How well rejections lead to what is accepted. */
export function QualityLoop({ search, onChange }: QualityLoopProps) {
  const { query } = useFeedbackSettings();
  return (
    <Stack gap="lg">
      <div className={classes.filters} data-bare role="search" aria-label="Quality loop">
        <PeriodSelect period={search} fallback={null} onChange={({ days, start, end }) => onChange({ days, start, end })} />
      </div>
      <Loaded query={useQualityLoop(search)} what="the quality loop">
        {(report) => <Report report={report} />}
      </Loaded>
      <Loaded query={query} what="settings">
        {(settings) => <Reruns key={settings.reruns} settings={settings} />}
      </Loaded>
    </Stack>
  );
}

const GRADES: Readonly<Record<string, string>> = { excellent: "Excellent notes", good: "Good notes", fair: "Fair notes", poor: "Poor notes" };

function Report({ report }: { report: QualityLoopReport }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {plural(report.attempts, "attempt")} of agents and extractions: {report.rejections.toLocaleString("en")} rejected,{" "}
        {plural(report.reruns, "time", "times")} tried again, {report.waiting.toLocaleString("en")} waiting for review. Beside each figure stands its
        95&nbsp;% interval, and of how many it was counted.
      </Text>
      <dl className={classes.figures}>
        <Shown name="Accepted the first time" figure={shareFigure(report.accepted_first, "decided")} />
        <Shown name="Accepted after trying again" figure={shareFigure(report.accepted_after_rerun, "decided")} />
        <Shown name="How far notes can be acted on" figure={scoreFigure(report.feedback_quality, "rejections")} />
        <Shown name="Values with a source, first time" figure={shareFigure(report.evidence_first, "values")} />
        <Shown name="Values with a source, tried again" figure={shareFigure(report.evidence_after_rerun, "values")} />
        <Shown name="From rejection to acceptance, median" figure={hoursFigure(report.hours_to_acceptance, "accepted")} />
      </dl>
      <section aria-labelledby="by-quality">
        <Title order={2} mb="sm" id="by-quality">
          Accepted after trying again, by how good the notes were
        </Title>
        <dl className={classes.figures} data-small>
          {report.by_quality.map(({ grade, accepted }) => (
            <Shown key={grade} name={GRADES[grade] ?? grade} figure={shareFigure(accepted, "decided")} />
          ))}
        </dl>
      </section>
    </>
  );
}

function Shown({ name, figure: { value, detail, bar } }: { name: string; figure: Figure }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>
        <div className={classes.big}>{value}</div>
        {bar && (
          <div className={classes.interval} aria-hidden>
            <span style={{ left: `${bar.low}%`, width: `${Math.max(1, bar.high - bar.low)}%` }} />
            <b style={{ left: `${bar.at}%` }} />
          </div>
        )}
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      </dd>
    </div>
  );
}

const MOST_RERUNS = 10; // the server's limit

function Reruns({ settings }: { settings: FeedbackSettings }) {
  const { change } = useFeedbackSettings();
  const [reruns, setReruns] = useState<number | string>(settings.reruns);
  const isChanged = typeof reruns === "number" && reruns !== settings.reruns;
  return (
    <Paper component="section" withBorder radius="lg" p="md" aria-labelledby="trying-again">
      <Title order={2} id="trying-again">
        Trying again
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isChanged) return;
          change.mutate(
            { reruns },
            {
              onSuccess: () => notifyDone("Saved."),
              onError: (error) => notifyProblem("This was not saved", error),
            },
          );
        }}
      >
        <Group align="flex-end" mt="xs">
          <NumberInput
            label="Times in a row"
            description="How often a rejected extraction is tried again by itself; 0 is never"
            min={0}
            max={MOST_RERUNS}
            allowDecimal={false}
            clampBehavior="strict"
            value={reruns}
            onChange={setReruns}
          />
          <Button type="submit" variant="default" disabled={!isChanged} loading={change.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </Paper>
  );
}
