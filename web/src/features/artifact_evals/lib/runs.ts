/** What a run's numbers say. */
import type { ArtifactEvalRun, ArtifactEvalRunStatus } from "@/api/types";

export const RUN_STATUS: Record<ArtifactEvalRunStatus, { label: string; color: string }> = {
  queued: { label: "Waiting", color: "blue" },
  running: { label: "Running", color: "gold" },
  done: { label: "Done", color: "green" },
  failed: { label: "Failed", color: "red" },
  cancelled: { label: "Cancelled", color: "gray" },
};

export function isOpen(run: Pick<ArtifactEvalRun, "status"> | null | undefined): boolean {
  return run?.status === "queued" || run?.status === "running";
}

/** From 0 to 100; null of nothing. Never 100 while one is missing, never 0 while there is one. */
export function percent(part: number, whole: number): number | null {
  if (whole <= 0) return null;
  if (part > 0 && part < whole) return Math.min(99, Math.max(1, Math.round((part / whole) * 100)));
  return Math.round((part / whole) * 100);
}

/** How many dimensions did not count. */
export function countLeftOut({ dimensions }: Pick<ArtifactEvalRun, "dimensions">): number {
  return dimensions.filter(({ left_out }) => left_out !== null).length;
}

export function countRecords(count: number): string {
  return count === 1 ? "1 record" : `${count.toLocaleString("en")} records`;
}

/** What a run that is over came to, and what it did not come to: one that failed or was cancelled leaves records out. */
export function describeOutcome({ status, done, passed, total, mean }: ArtifactEvalRun): string {
  if (done === 0) return status === "done" ? "There are no records to score." : "No record was scored.";
  const trusted = `${passed.toLocaleString("en")} of ${countRecords(done)} can be trusted`;
  const scored = mean === null ? trusted : `${trusted}, mean score ${Math.round(mean * 100)} of 100`;
  const left = status === "done" ? 0 : Math.max(0, total - done);
  return left === 0 ? scored : `${scored}. ${countRecords(left)} ${left === 1 ? "was" : "were"} not scored.`;
}

export type Urgency = { label: string; color: string };

const FIRST = 0.2; // another workspace's data, a missing gate, a claim with no source at all
const NEXT = 0.08;

/** How soon a gap of some importance should be fixed. */
export function gradeImportance(importance: number): Urgency {
  if (importance >= FIRST) return { label: "Fix first", color: "red" };
  if (importance >= NEXT) return { label: "Fix next", color: "orange" };
  return { label: "Polish", color: "gray" };
}
