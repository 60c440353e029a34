/** Where things stand in the plot of intervals. Pure. */
import type { EvalReport } from "@/api/types";

export interface PlotRow {
  name: string;
  difference: number;
  low: number;
  high: number;
}

export interface Scale {
  /** The ends of the axis, in shares. */
  from: number;
  to: number;
  ticks: number[];
}

const STEPS = [0.02, 0.05, 0.1, 0.25, 0.5]; // between two ticks
const MOST_TICKS = 7; // also on a phone

export function plotRows(reports: readonly EvalReport[]): PlotRow[] {
  return reports.flatMap(({ agent, difference, low, high }) =>
    difference === null || low === null || high === null ? [] : [{ name: `${agent.slug} v${agent.version}`, difference, low, high }],
  );
}

/** Zero, the margin and every interval are in sight. */
export function plotScale(rows: readonly PlotRow[], margin: number): Scale {
  const ends = [0, -margin, margin, ...rows.flatMap(({ low, high }) => [low, high])];
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const step = STEPS.find((each) => Math.ceil(most / each) - Math.floor(least / each) < MOST_TICKS) ?? 0.5;
  const [first, last] = [Math.floor(least / step - 1e-9), Math.ceil(most / step + 1e-9)];
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => tidy((first + place) * step));
  return { from: ticks[0] ?? 0, to: ticks.at(-1) ?? 0, ticks };
}

/** How far to the right, between 0 and 1. */
export function placeOn({ from, to }: Scale, value: number): number {
  return to === from ? 0.5 : (value - from) / (to - from);
}

function tidy(value: number): number {
  const rounded = Math.round(value * 1000) / 1000;
  return rounded === 0 ? 0 : rounded; // never -0
}
