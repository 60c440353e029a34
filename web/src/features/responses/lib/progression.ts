/** The server's score progression as a chart and a sentence need it. */
import type { ResponseAggregation } from "@/api/types";

export interface Point {
  /** Milliseconds, so that the axis keeps the distances in time. */
  at: number;
  score: number;
  range: [number, number];
  count: number;
}

function round(score: number): number {
  return Math.round(score * 10) / 10;
}

export function toPoints(progression: ResponseAggregation["progression"]): Point[] {
  return progression
    .map(({ at, score, min, max, count }) => ({
      at: Date.parse(at),
      score: round(score),
      range: [round(min), round(max)] as [number, number],
      count,
    }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((one, other) => one.at - other.at);
}

/** Whether stretches of time hold several scores, so that there is a spread to draw. */
export function hasSpread(points: readonly Point[]): boolean {
  return points.some(({ range: [min, max] }) => max > min);
}

/** Where it began and where it is, as means of the stretches of time that the points stand for. */
export function describeTrend(points: readonly Point[], respondents: number): string {
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first || !last) return "";
  const by = `by ${respondents} ${respondents === 1 ? "respondent" : "respondents"}`;
  if (points.length === 1) return `${last.score} of 100, ${by}`;
  return first.score === last.score ? `steady at ${last.score}, ${by}` : `from ${first.score} to ${last.score}, ${by}`;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Seconds within an hour, minutes within a day, days within a year, months beyond. */
export function tickFormat(points: readonly Point[]): (at: number) => string {
  const [first, last] = [points[0]?.at ?? 0, points[points.length - 1]?.at ?? 0];
  const options: Intl.DateTimeFormatOptions =
    last - first < HOUR_MS
      ? { hour: "2-digit", minute: "2-digit", second: "2-digit" }
      : last - first < DAY_MS
        ? { hour: "2-digit", minute: "2-digit" }
        : last - first < 365 * DAY_MS
          ? { day: "numeric", month: "short" }
          : { month: "short", year: "numeric" };
  const format = new Intl.DateTimeFormat("en-GB", options);
  return (at) => format.format(at);
}
