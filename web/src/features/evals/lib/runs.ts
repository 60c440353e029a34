/** What a run's page shows of its goldens, before and after it is over. Pure. */
import type { EvalReport, EvalRun, GoldenReport, Replay } from "@/api/types";
import { percent } from "./numbers";
import { type GoldenMove, MOVES } from "./words";

export interface GoldenLine {
  goldenId: string;
  /** Null while the run goes on. */
  report: GoldenReport | null;
  replays: Replay[];
}

/** How many goldens changed how, those that there are, in the order in which one looks at them. */
export function countMoves(report: Pick<EvalReport, "changes">): { change: GoldenMove; count: number }[] {
  return MOVES.flatMap((change) => {
    const count = report.changes[change] ?? 0;
    return count > 0 ? [{ change, count }] : [];
  });
}

/** The goldens of one agent's report, the worst first, with their replays by repeat. Without a report they are those that
 * replays are of. What was made for the baseline is not the agent's. */
export function goldenLines(report: EvalReport | null, replays: readonly Replay[], agent: EvalRun["agents"][number]): GoldenLine[] {
  const byGolden = new Map<string, Replay[]>();
  for (const replay of replays) {
    if (replay.baseline || replay.agent.id !== agent.id || replay.agent.version !== agent.version) continue;
    byGolden.set(replay.goldenId, [...(byGolden.get(replay.goldenId) ?? []), replay]);
  }
  const sorted = (goldenId: string) => (byGolden.get(goldenId) ?? []).toSorted((a, b) => a.repeat - b.repeat);
  if (report === null) return [...byGolden.keys()].map((goldenId) => ({ goldenId, report: null, replays: sorted(goldenId) }));
  return report.goldens
    .map((golden) => ({ goldenId: golden.goldenId, report: golden, replays: sorted(golden.goldenId) }))
    .toSorted((a, b) => MOVES.indexOf(a.report.change) - MOVES.indexOf(b.report.change) || fall(b.report) - fall(a.report));
}

/** How far its pass rate fell; 0 where that is not known. */
export function fall({ outcomes, baseline }: Pick<GoldenReport, "outcomes" | "baseline">): number {
  const passed = outcomes.filter((outcome) => outcome === "passed").length;
  const decided = outcomes.filter((outcome) => outcome === "passed" || outcome === "failed").length;
  if (decided === 0 || baseline === null || baseline.runs === 0) return 0;
  return baseline.passes / baseline.runs - passed / decided;
}

/** "Accuracy 20% to 100% over 3 repeats, 73% on average": the spread, not the mean alone. Null where fewer than two are
 * known. */
export function spreadLine(replays: readonly Pick<Replay, "accuracy">[]): string | null {
  const known = replays.flatMap(({ accuracy }) => (accuracy === null ? [] : [accuracy])).sort((a, b) => a - b);
  const [least, most] = [known[0], known.at(-1)];
  if (known.length < 2 || least === undefined || most === undefined) return null;
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
  if (percent(least) === percent(most)) return `Accuracy ${percent(mean)} in each of ${known.length} repeats.`;
  return `Accuracy ${percent(least)} to ${percent(most)} over ${known.length} repeats, ${percent(mean)} on average.`;
}
