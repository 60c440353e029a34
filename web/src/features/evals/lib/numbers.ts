/** How shares, differences and intervals are put into words. Pure. */
import type { EvalEstimate, EvalReport } from "@/api/types";

const MINUS = "−";

/** A share between 0 and 1. */
export function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)}%`;
}

/** A difference of shares, in points of 100, with its sign; zero has none. */
export function points(difference: number): string {
  const rounded = Math.round(Math.abs(difference) * 1000) / 10;
  if (rounded === 0) return "0";
  return `${difference < 0 ? MINUS : "+"}${rounded.toLocaleString("en", { maximumFractionDigits: 1 })}`;
}

export function interval(low: number, high: number): string {
  return `${points(low)} to ${points(high)}`;
}

/** A difference of shares lies between -1 and 1, whatever a formula for large numbers says about a few. */
export function withinReach([low, high]: readonly [number, number]): [number, number] {
  return [Math.max(-1, low), Math.min(1, high)];
}

/** "−33.3 points, 90% interval −51.1 to −7.8"; null where there is no difference. */
export function differenceLine({ difference, low, high }: Pick<EvalReport, "difference" | "low" | "high">): string | null {
  if (difference === null || low === null || high === null) return null;
  return `${points(difference)} points, 90% interval ${interval(low, high)}`;
}

/** What the run could see, and what it would take to see more; null where nothing is compared. */
export function powerLine(report: Pick<EvalReport, "smallestDetectable" | "repeatsToBuy">, repeats: number): string | null {
  const { smallestDetectable: smallest, repeatsToBuy: needed } = report;
  if (smallest === null) return null;
  const seen = `The smallest change this run could see is ${Math.abs(smallest * 100).toLocaleString("en", { maximumFractionDigits: 1 })} points.`;
  if (needed === null) return seen;
  if (needed <= repeats) return `${seen} That is enough to find a change of 10 points.`;
  return `${seen} It takes ${needed} repeats of each golden to find a change of 10 points.`;
}

/** Dollars; null is not known, which is not nothing. */
export function dollars(cost: number | null): string {
  if (cost === null) return "cost not known";
  if (cost === 0) return "$0";
  return cost < 0.01 ? "less than $0.01" : `$${cost.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

export function estimateLine({ replays, tokens, cost }: EvalEstimate): string {
  const words = replays === 1 ? "1 replay" : `${replays.toLocaleString("en")} replays`;
  return `${words}, about ${tokens.toLocaleString("en")} tokens, ${dollars(cost)}`;
}

export function seconds(value: number | null): string {
  if (value === null) return "–";
  if (value < 60) return `${value.toLocaleString("en", { maximumFractionDigits: 1 })} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function agentName({ slug, version }: { slug: string; version: number }): string {
  return `${slug}, version ${version}`;
}
