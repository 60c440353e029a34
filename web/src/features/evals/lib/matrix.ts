/** The matrix of goldens and agent versions, in the order that somebody wants. Pure. */
import type { EvalMatrix, ReplayOutcome } from "@/api/types";

type Row = EvalMatrix["goldens"][number];

export type MatrixOrder = "fall" | "listed";

/** Of those that decide; null where none does. */
export function passShare(outcomes: readonly ReplayOutcome[]): number | null {
  const decided = outcomes.filter((outcome) => outcome === "passed" || outcome === "failed");
  return decided.length === 0 ? null : decided.filter((outcome) => outcome === "passed").length / decided.length;
}

/** How far the newest version fell behind the best of the others, or behind the noise floor where there is no other. */
export function largestFall({ cells, floorPasses, floorRuns }: Pick<Row, "cells" | "floorPasses" | "floorRuns">): number {
  const [newest = null, ...others] = cells.map(({ outcomes }) => passShare(outcomes));
  if (newest === null) return 0;
  const floor = floorRuns ? (floorPasses ?? 0) / floorRuns : null;
  const before = [...others, floor].filter((share): share is number => share !== null);
  return before.length === 0 ? 0 : Math.max(...before) - newest;
}

export function sortMatrix(rows: readonly Row[], order: MatrixOrder): Row[] {
  return order === "listed" ? [...rows] : rows.toSorted((a, b) => largestFall(b) - largestFall(a));
}
