/** The noise floor of goldens: what unchanged replays come to. Pure. */
import type { Golden, ReplayOutcome } from "@/api/types";

type Floor = Pick<Golden, "floor" | "floorPasses" | "floorRuns">;

/** One for each replay that decided, those that passed first; none where it was not measured. */
export function floorDots({ floor, floorPasses, floorRuns }: Floor): ReplayOutcome[] {
  if (floor === null || floorRuns === null) return [];
  return Array.from({ length: floorRuns }, (_, place) => (place < (floorPasses ?? 0) ? "passed" : "failed"));
}

/** How often unchanged replays of a set pass, each golden alike; broken ones are kept out, as in verdicts. Null where no
 * golden was measured. */
export function floorRate(goldens: readonly Floor[]): number | null {
  const rates = goldens.flatMap(({ floor, floorPasses, floorRuns }) => (floor === null || floor === "broken" || !floorRuns ? [] : [(floorPasses ?? 0) / floorRuns]));
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}
