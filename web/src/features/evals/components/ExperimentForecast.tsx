import { Alert, Button, Group, Progress, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useId } from "react";
import { toProblem } from "@/api/problem";
import type { ExperimentForecast as Foreseen } from "@/api/types";
import { useExperimentForecast } from "../hooks/useExperiments";
import { type ExperimentDraft, type PowerLine, confirmationLine, experimentOf, fewestLine, measuresLine, powerLines, smallestLine, takesLine } from "../lib/experiments";
import classes from "./evals.module.css";

const PAUSE_MS = 300; // while somebody types, nothing is reckoned

interface ExperimentForecastProps {
  draft: ExperimentDraft;
  /** Takes as many replays as something needs. */
  onReplays: (replays: number) => void;
}

/** What it would take and what it could find, while one chooses. */
export function ExperimentForecast({ draft, onReplays }: ExperimentForecastProps) {
  const [typed] = useDebouncedValue(draft, PAUSE_MS);
  const body = experimentOf(typed);
  const { data, error, isFetching } = useExperimentForecast(body);
  const heading = useId();
  if (body === null) {
    return (
      <Text size="sm" role="status" className={classes.estimate}>
        Choose what is missing, and this says what it will take and what it could find.
      </Text>
    );
  }
  if (error && !isFetching) {
    return (
      <Alert color="red" role="alert">
        {toProblem(error).message}
      </Alert>
    );
  }
  return (
    <section className={classes.forecast} aria-labelledby={heading} aria-busy={!data || undefined}>
      <Text size="sm" fw={550} id={heading}>
        What it will take, and what it could find
      </Text>
      {data ? <Shown forecast={data} onReplays={onReplays} /> : <Text size="sm">Reckoning…</Text>}
    </section>
  );
}

function Shown({ forecast, onReplays }: { forecast: Foreseen; onReplays: (replays: number) => void }) {
  const { power, runVariance } = forecast;
  const more = confirmationLine(forecast);
  const fewest = fewestLine(forecast);
  const smallest = smallestLine(forecast);
  return (
    <>
      <div role="status">
        <Text size="sm">{measuresLine(forecast)}</Text>
        <Text size="sm">
          {takesLine(forecast)}.
          {more && (
            <Text span size="sm" c="dimmed">
              {" "}
              {more}
            </Text>
          )}
        </Text>
      </div>
      {power.length > 0 ? (
        <>
          <dl className={classes.powers}>
            {powerLines(forecast).map((line) => (
              <Power key={line.effect} line={line} onReplays={onReplays} />
            ))}
          </dl>
          <Text size="xs" c="dimmed">
            {fewest} {smallest}
            {runVariance === null && " How much outcomes vary from run to run is not known of these goldens, and is reckoned as usual."}
          </Text>
        </>
      ) : (
        <Text size="xs" c="dimmed">
          Evidence may be looked at any time; 20 is enough. Seven pairs that all differ the same way are the least that come to it.
        </Text>
      )}
    </>
  );
}

/** The chance to find a row of this effect, and how many replays make it likely. */
function Power({ line: { effect, power, words, needed }, onReplays }: { line: PowerLine; onReplays: (replays: number) => void }) {
  const name = `Finds a row worth ${effect} points`;
  return (
    <div className={classes.power}>
      <dt>{name}</dt>
      <dd>
        {power === null ? (
          <Text size="sm">{words}</Text>
        ) : (
          <Group gap={8} wrap="nowrap">
            <Progress flex={1} size="md" color={power >= 0.8 ? "var(--mantine-color-green-text)" : "gold"} value={100 * power} aria-label={`Chance: ${name.toLowerCase()}`} />
            <span className={classes.powerNumber}>{words}</span>
          </Group>
        )}
        {needed !== null && (
          <Button mt={4} size="compact-xs" variant="light" onClick={() => onReplays(needed)}>
            80% takes {needed.toLocaleString("en")} replays
          </Button>
        )}
      </dd>
    </div>
  );
}
