import { Text } from "@mantine/core";
import type { Knowledge, MeasuredValue } from "@/api/types";
import { IntervalMark } from "@/ui/chart/IntervalMark";
import type { Scale } from "@/ui/chart/scale";
import { figureOf, scaleOfRows, staleLine, valueParts } from "../lib/value";
import classes from "./knowledge.module.css";

interface ValueCellProps {
  row: Pick<Knowledge, "value" | "state">;
  /** That of the list. */
  scale: Scale;
}

/** What is known of a row's value, in a list: words first, its interval drawn, grey with the reason where it is old. */
export function ValueCell({ row: { value, state }, scale }: ValueCellProps) {
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
      {value && <ValueMark value={value} scale={scale} />}
      {value?.stale && (
        <Text span size="xs" c="dimmed">
          {staleLine(value.stale_because)}
        </Text>
      )}
    </span>
  );
}

const TITLE = "How much more often replays pass with it, in points of 100, with the 95% interval and how many were counted";

/** Where its interval is beside zero; nothing where there is no figure. */
export function ValueMark({ value, scale = scaleOfRows([{ value }]) }: { value: MeasuredValue; scale?: Scale }) {
  const figure = figureOf(value);
  if (!figure || value.label === "unmeasured") return null;
  return (
    <span className={classes.valueMark}>
      <IntervalMark value={figure.delta} low={figure.low} high={figure.high} scale={scale} isPale={value.stale} />
    </span>
  );
}
