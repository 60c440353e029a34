/** How a score of 0 to 100 is graded and worded. "No score" is null, never 0. */
import { settle } from "@/api/plain";

export type ScoreVariant = "default" | "secondary" | "outline";

const HIGH = 70; // from here a record counts as good
const MIDDLE = 40; // below, as weak

export function scoreBadgeVariant(score: number): ScoreVariant {
  const settled = settle(score);
  if (settled >= HIGH) return "default";
  return settled >= MIDDLE ? "secondary" : "outline";
}

/** Whole points, rounded down: a 69.9 is never drawn as the 70 it did not reach. */
export function formatScore(score: number | null): string {
  return score === null ? "–" : String(Math.floor(settle(score)));
}

/** A response keeps its score on 0 to 1. */
export function responseScore(normalized: number | null): number | null {
  // 0.58 · 100 is 57.99…, and must not be rounded down to 57.
  return normalized === null ? null : Math.round(normalized * 1e8) / 1e6;
}
