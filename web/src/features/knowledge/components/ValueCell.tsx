import { Text } from "@mantine/core";
import type { Knowledge, MeasuredValue } from "@/api/types";
import { IntervalMark } from "@/ui/chart/IntervalMark";
import { figureOf, staleLine, valueParts, valueScale } from "../lib/value";
import classes from "./knowledge.module.css";

/** What is known of a row's value, in a list: words first, its interval drawn, grey with the reason where it is old. */
export function ValueCell({ row: { value, state } }: { row: Pick<Knowledge, "value" | "state"> }) {
  const { head, figure } = valueParts(value, state === "active");
  const isKnown = value !== null && value.label !== "unmeasured";
  return (
    <span className={classes.value} data-old={value?.stale || undefined} title={value?.stale ? staleLine(value.stale_because) : TITLE}>
      <span className={classes.valueHead} data-label={isKnown && !value.stale ? value.label : undefined} data-none={!isKnown || undefined}>
        {head}
      </span>
      {figure && (
        <Text span size="xs" c="dimmed" className={classes.valueFigure}>
          {figure}
        </Text>
      )}
      {value && <ValueMark value={value} />}
      {value?.stale && (
        <Text span size="xs" c="dimmed">
          {staleLine(value.stale_because)}
        </Text>
      )}
    </span>
  );
}

const TITLE = "How much more often replays pass with it, in points of 100, with the 95% interval and how many were counted";

/** Where its interval is beside zero; nothing where there is no figure. All of them on one scale where they fit. */
export function ValueMark({ value }: { value: MeasuredValue }) {
  const figure = figureOf(value);
  if (!figure || value.label === "unmeasured") return null;
  return (
    <span className={classes.valueMark}>
      <IntervalMark value={figure.delta} low={figure.low} high={figure.high} scale={valueScale([{ low: -COMMON, high: COMMON }, figure])} isPale={value.stale} />
    </span>
  );
}

const COMMON = 0.3; // most effects are smaller, so that rows of a list can be compared by eye
