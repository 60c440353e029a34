/** Runs of a set over time: where the agent or the set changed, and where things stand in the drawing. Pure. */
import type { EvalTrendPoint } from "@/api/types";

export interface TrendMark {
  /** Between 0 and 100, from the left. */
  x: number;
  runId: string;
  at: string;
  agent: string;
  /** In percent; null where no replay decided. */
  rate: number | null;
  low: number | null;
  high: number | null;
  verdict: EvalTrendPoint["verdict"];
  confirmed: boolean | null;
  /** What is otherwise than in the run before: "agent version 3", "set version 2". */
  changed: string[];
}

/** Oldest first, at equal distances: runs come in bursts. */
export function trendMarks(newestFirst: readonly EvalTrendPoint[]): TrendMark[] {
  const points = newestFirst.toReversed();
  return points.map((point, place) => ({
    x: points.length === 1 ? 50 : (100 * place) / (points.length - 1),
    runId: point.runId,
    at: point.createdAt,
    agent: `${point.agent.slug} v${point.agent.version}`,
    rate: share(point.passRate),
    low: share(point.passRateLow),
    high: share(point.passRateHigh),
    verdict: point.verdict,
    confirmed: point.confirmed,
    changed: changesFrom(points[place - 1], point),
  }));
}

/** Fresh repeats said the same: only then is a regression marked. */
export function isConfirmed({ verdict, confirmed }: Pick<TrendMark, "verdict" | "confirmed">): boolean {
  return verdict === "regression" && confirmed === true;
}

function share(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 10;
}

function changesFrom(before: EvalTrendPoint | undefined, { agent, setVersion, mode, context }: EvalTrendPoint): string[] {
  if (!before) return [];
  return [
    ...(before.agent.id !== agent.id ? [`agent ${agent.slug}`] : before.agent.version !== agent.version ? [`agent version ${agent.version}`] : []),
    ...(before.setVersion !== setVersion ? [`set version ${setVersion}`] : []),
    ...(before.mode !== mode ? [`tools answer: ${mode}`] : []),
    ...(before.context !== context ? [`knowledge: ${context}`] : []),
  ];
}

/** Stretches of marks with a rate, each of which is one line. */
export function stretches(marks: readonly TrendMark[]): TrendMark[][] {
  const found: TrendMark[][] = [[]];
  for (const mark of marks) {
    if (mark.rate === null) found.push([]);
    else found.at(-1)?.push(mark);
  }
  return found.filter((stretch) => stretch.length > 0);
}
