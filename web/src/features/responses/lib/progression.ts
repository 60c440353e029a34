/** Scores over time as a chart, a table and a sentence need them: by rater, and the median of what each last said. Pure. */
import type { Party, ScoredResponse } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { countRaters, formatScore, roundScore } from "@/features/entities/lib/score";

export const MOST_DRAWN = 8; // raters with a line of their own: as many colours and marks as can be told apart

/** One rater. Those beyond the first few share a series without a line. */
export interface Series {
  key: string;
  name: string;
  hasLine: boolean;
}

/** What stands at one place of the axis: scores by the key of their series, and the median of all raters. */
export interface Row {
  /** Milliseconds, or the temporal value. */
  x: number | string;
  scores: Record<string, number>;
  median: number;
  /** Whose score it is, where the row is one response. */
  who: string | null;
}

export interface Progression {
  isTemporal: boolean;
  series: Series[];
  rows: Row[];
  /** The newest score of each rater. */
  latest: number[];
}

const OTHERS = "others";

/** `points` are newest first, as the server lists them. */
export function toProgression(points: readonly ScoredResponse[]): Progression {
  const oldestFirst = [...points].reverse();
  const series = toSeries(points);
  const latest = new Map(oldestFirst.map((point) => [raterOf(point), point.score]));
  const isTemporal = points.some(({ temporal_value }) => temporal_value !== null);
  const rows = isTemporal ? byTemporalValue(oldestFirst, series) : overTime(oldestFirst, series);
  return { isTemporal, series: [...new Map([...series.values()].map((each) => [each.key, each])).values()], rows, latest: [...latest.values()] };
}

/** A person and an agent may have one id. */
function raterOf({ submitted_by: { kind, id } }: { submitted_by: Party }): string {
  return `${kind}:${id ?? ""}`;
}

/** By rater. Whoever said most has a line first; names that are the same are told apart. */
function toSeries(points: readonly ScoredResponse[]): Map<string, Series> {
  const counts = new Map<string, number>();
  for (const point of points) counts.set(raterOf(point), (counts.get(raterOf(point)) ?? 0) + 1);
  const ranked = [...counts].sort(([, one], [, other]) => other - one).map(([rater]) => rater);
  const names = new Map(points.map((point) => [raterOf(point), partyName(point.submitted_by)]));
  const seen = new Map<string, number>();
  return new Map(
    ranked.map((rater, place): [string, Series] => {
      if (place >= MOST_DRAWN) return [rater, { key: OTHERS, name: `${ranked.length - MOST_DRAWN} others`, hasLine: false }];
      const name = names.get(rater) ?? "Someone";
      const before = seen.get(name) ?? 0;
      seen.set(name, before + 1);
      return [rater, { key: `r${place}`, name: before ? `${name} (${before + 1})` : name, hasLine: true }];
    }),
  );
}

function overTime(points: readonly ScoredResponse[], series: ReadonlyMap<string, Series>): Row[] {
  const latest = new Map<string, number>();
  return points.map((point) => {
    latest.set(raterOf(point), point.score);
    return {
      x: Date.parse(point.created_at),
      scores: { [keyOf(point, series)]: point.score },
      median: medianOf([...latest.values()]),
      who: partyName(point.submitted_by),
    };
  });
}

/** Each rater by their newest response about the temporal value, whenever that came. */
function byTemporalValue(points: readonly ScoredResponse[], series: ReadonlyMap<string, Series>): Row[] {
  const values = new Map<string, Map<string, ScoredResponse>>();
  for (const point of points) {
    const value = point.temporal_value ?? "";
    values.set(value, (values.get(value) ?? new Map<string, ScoredResponse>()).set(raterOf(point), point));
  }
  return [...values]
    .sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true }))
    .map(([x, raters]) => ({
      x: x || "–",
      scores: Object.fromEntries([...raters.values()].map((point) => [keyOf(point, series), point.score])),
      median: medianOf([...raters.values()].map(({ score }) => score)),
      who: null,
    }));
}

function keyOf(point: ScoredResponse, series: ReadonlyMap<string, Series>): string {
  return series.get(raterOf(point))?.key ?? OTHERS;
}

export function medianOf(scores: readonly number[]): number {
  const ordered = [...scores].sort((one, other) => one - other);
  const middle = Math.floor(ordered.length / 2);
  const upper = ordered[middle] ?? 0;
  return roundScore(ordered.length % 2 ? upper : ((ordered[middle - 1] ?? 0) + upper) / 2);
}

/** Of one rater where they began and where they are; of several how many, the middle of them and how far apart. */
export function describeProgression({ rows, latest }: Progression): string {
  const [first, last] = [rows[0], rows[rows.length - 1]];
  if (!first || !last) return "";
  if (latest.length > 1) {
    const [min, max] = [Math.min(...latest), Math.max(...latest)].map(formatScore);
    return `${countRaters({ count: latest.length })}, median ${formatScore(medianOf(latest))}, from ${min} to ${max}`;
  }
  const [from, to] = [first.median, last.median].map(formatScore);
  if (rows.length === 1) return `${to} of 100, by 1 rater`;
  return from === to ? `steady at ${to}, by 1 rater` : `from ${from} to ${to}, by 1 rater`;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Seconds within an hour, minutes within a day, days within a year, months beyond. */
export function tickFormat(first: number, last: number): (at: number) => string {
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
