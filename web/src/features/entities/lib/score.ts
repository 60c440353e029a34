/**
 * How a score of 0 to 100 is rounded, worded and graded, as the server does it (`entities/scores.py`). It has two decimals
 * at most and is shown as it is kept, so that badge, list, form, table and chart say one number. "No score" is null, never 0.
 */
import { settle } from "@/api/plain";
import type { Raters } from "@/api/types";

export type ScoreVariant = "default" | "secondary" | "outline";

const HIGH = 70; // from here a record counts as good
const MIDDLE = 40; // below, as weak
export const APART = HIGH - MIDDLE; // so far apart one rater calls good what another calls weak

/** To two decimals, half of a hundredth upwards, without what binary fractions leave: 59.999999999999986 is 60. */
export function roundScore(score: number): number {
  return Math.floor(settle(score * 100) + 0.5) / 100;
}

export function scoreBadgeVariant(score: number): ScoreVariant {
  const shown = roundScore(score);
  if (shown >= HIGH) return "default";
  return shown >= MIDDLE ? "secondary" : "outline";
}

export function formatScore(score: number | null): string {
  return score === null ? "–" : String(roundScore(score));
}

/** A response keeps its score on 0 to 1. */
export function responseScore(normalized: number | null): number | null {
  return normalized === null ? null : roundScore(normalized * 100);
}

export function countRaters({ count, more = false }: { count: number; more?: boolean }): string {
  return count === 1 && !more ? "1 rater" : `${count}${more ? "+" : ""} raters`;
}

/** In a few words; with `named` in a sentence of its own. */
export function describeRaters(raters: Raters, named = false): string {
  const [median, min, max] = [raters.median, raters.min, raters.max].map(formatScore);
  const count = countRaters(raters);
  if (raters.count === 1 && !raters.more) return named ? `${count}: this is one voice` : count;
  if (!named) return `${count} · median ${median} · ${min} to ${max}`;
  const apart = raters.disagree ? ". They disagree" : "";
  return `${count}, each by their newest response: median ${median}, from ${min} to ${max}${apart}`;
}
