/** A report on satisfaction as charts, tables and sentences need it. Pure. */
import type { Satisfaction, SatisfactionReport } from "@/api/types";
import { ORIGIN_LABEL } from "./reactions";
import type { Bucket, GroupBy } from "./search";

export interface RatePoint {
  /** Milliseconds, so that the axis keeps the distances in time. */
  at: number;
  /** Of 100. */
  rate: number;
  range: [number, number];
  total: number;
}

function of100(share: number): number {
  return Math.round(share * 1000) / 10;
}

/** Without those in which nothing was counted: no rate is not a rate of 0. */
export function toPoints(rows: readonly Satisfaction[]): RatePoint[] {
  return rows.flatMap(({ bucket, rate, low, high, total }) =>
    bucket === null || rate === null || low === null || high === null
      ? []
      : [{ at: Date.parse(bucket), rate: of100(rate), range: [of100(low), of100(high)] as [number, number], total }],
  );
}

export interface Group {
  name: string | null;
  overall: Satisfaction;
  points: RatePoint[];
}

/** Those of which most is known first. */
export function toGroups(report: SatisfactionReport): Group[] {
  return report.overall
    .filter(({ total }) => total > 0)
    .map((overall) => ({
      name: overall.group,
      overall,
      points: toPoints(report.data.filter(({ group }) => group === overall.group)),
    }))
    .sort((one, other) => other.overall.total - one.overall.total);
}

export function groupLabel(name: string | null, by: GroupBy): string {
  if (name === null) return by === "agent" ? "No agent named" : `No ${by}`;
  return by === "origin" && (name === "user" || name === "machine") ? ORIGIN_LABEL[name] : name;
}

/** "61 to 88 %", with a sign that stays on its line; nothing where nothing was counted. */
export function interval({ low, high }: Pick<Satisfaction, "low" | "high">): string {
  return low === null || high === null ? "" : `${Math.round(low * 100)} to ${Math.round(high * 100)}\u00a0%`;
}

const FORMAT: Record<Bucket, Intl.DateTimeFormatOptions> = {
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
};

/** The beginning of a bucket, which is in UTC. */
export function bucketFormat(bucket: Bucket, withYear = false): (at: number) => string {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...FORMAT[bucket],
    ...(withYear ? { year: "numeric" } : {}),
    timeZone: "UTC",
  });
  return (at) => (bucket === "week" && withYear ? `Week of ${format.format(at)}` : format.format(at));
}
