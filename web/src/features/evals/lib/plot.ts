/** Where things stand in the plot of intervals. Pure. */
import type { EvalReport } from "@/api/types";
import { type Scale, scaleOf } from "@/ui/chart/scale";

export interface PlotRow {
  name: string;
  difference: number;
  low: number;
  high: number;
}

export function plotRows(reports: readonly EvalReport[]): PlotRow[] {
  return reports.flatMap(({ agent, difference, low, high }) =>
    difference === null || low === null || high === null ? [] : [{ name: `${agent.slug} v${agent.version}`, difference, low, high }],
  );
}

/** Zero, the margin and every interval are in sight. */
export function plotScale(rows: readonly PlotRow[], margin: number): Scale {
  return scaleOf([-margin, margin, ...rows.flatMap(({ low, high }) => [low, high])]);
}
