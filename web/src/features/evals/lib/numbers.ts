/** How shares, differences and intervals are put into words. Pure. */
import type { EvalEstimate, EvalForecast, EvalReport } from "@/api/types";
import { plural } from "./words";

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

/** "−33.3 points, 90% interval −51.1 to −7.8"; null where there is no difference. */
export function differenceLine({ difference, low, high }: Pick<EvalReport, "difference" | "low" | "high">): string | null {
  if (difference === null || low === null || high === null) return null;
  return `${points(difference)} points, 90% interval ${interval(low, high)}`;
}

const WANTED = 0.1; // the change that a run is planned for, as the server plans it
const MOST_REPEATS = 100; // the server's limit

type Power = Pick<EvalReport, "smallestDetectable" | "repeatsToBuy">;

/** How many repeats of each golden would find a change of 10 points; null where it was found, or where repeats do not help. */
export function repeatsToBuy({ smallestDetectable, repeatsToBuy: needed }: Power): number | null {
  if (smallestDetectable === null || smallestDetectable <= WANTED) return null;
  return needed !== null && needed <= MOST_REPEATS ? needed : null;
}

/** What the run could see, and what it would take to see more; null where nothing is compared. */
export function powerLine(report: Power): string | null {
  const { smallestDetectable: smallest } = report;
  if (smallest === null) return null;
  const seen = `The smallest change this run could see is ${Math.abs(smallest * 100).toLocaleString("en", { maximumFractionDigits: 1 })} points.`;
  const needed = repeatsToBuy(report);
  if (smallest <= WANTED) return `${seen} That is enough to find a change of 10 points.`;
  if (needed !== null) return `${seen} It takes ${needed} repeats of each golden to find a change of 10 points.`;
  return `${seen} Repeats alone do not find one of 10 points: that takes more goldens, or more replays of the baseline.`;
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

/** What a run will be compared with, and whether it has to make that itself. */
export function baselineLine({ baseline, baselineReplays }: Pick<EvalForecast, "baseline" | "baselineReplays">): { words: string; isShort: boolean } {
  if (baseline === null) return { words: "It is compared with nobody: there will be a pass rate and no verdict.", isShort: false };
  const name = agentName(baseline);
  if (baselineReplays > 0) return { words: `Against ${name}, which has too few replays that were made in this way: ${plural(baselineReplays, "replay")} of these ${baselineReplays === 1 ? "is" : "are"} made for it.`, isShort: true };
  return { words: `Against the replays of ${name}.`, isShort: false };
}

/** "+12%" of what a replay of the baseline uses; null where either is not known. */
export function changeOfUse(own: number | null, baseline: number | null | undefined): string | null {
  if (own === null || baseline === null || baseline === undefined || baseline === 0) return null;
  const change = Math.round((100 * (own - baseline)) / baseline);
  return change === 0 ? "as the baseline" : `${change < 0 ? MINUS : "+"}${Math.abs(change).toLocaleString("en")}% to the baseline`;
}

export function seconds(value: number | null): string {
  if (value === null) return "–";
  if (value < 60) return `${value.toLocaleString("en", { maximumFractionDigits: 1 })} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function agentName({ slug, version }: { slug: string; version: number }): string {
  return `${slug}, version ${version}`;
}
