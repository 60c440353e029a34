/** A report on satisfaction as charts, tables and sentences need it. Pure. */
import type { Satisfaction, SatisfactionReport } from "@/api/types";
import { ORIGIN_LABEL } from "./reactions";
import type { Bucket, ConversationsSearch, GroupBy, SatisfactionSearch } from "./search";

export interface RatePoint {
  /** Milliseconds, so that the axis keeps the distances in time. */
  at: number;
  /** Of 100. */
  rate: number;
  range: [number, number];
  total: number;
}

/** A bucket in which nobody reacted: the line and the band stop there. */
export interface Gap {
  at: number;
  rate: null;
  range: null;
  total: 0;
}

/** A point with nothing before and after it: no band can be drawn through it, so its interval is a bar. */
export type DrawnPoint = (RatePoint & { alone: boolean }) | Gap;

/** The beginning of the bucket after that which begins at a moment; in UTC, as the server cuts them. */
export function nextBucket(at: number, bucket: Bucket): number {
  const day = new Date(at);
  if (bucket === "month") day.setUTCMonth(day.getUTCMonth() + 1);
  else day.setUTCDate(day.getUTCDate() + (bucket === "week" ? 7 : 1));
  return day.getTime();
}

/** The points with a gap wherever nobody reacted between two of them. */
export function withGaps(points: readonly RatePoint[], bucket: Bucket): DrawnPoint[] {
  const drawn: DrawnPoint[] = [];
  points.forEach((point, place) => {
    const follows = (before: RatePoint | undefined, after: RatePoint | undefined) =>
      before !== undefined && after !== undefined && nextBucket(before.at, bucket) === after.at;
    const isJoined = follows(points[place - 1], point);
    if (place > 0 && !isJoined) {
      const at = nextBucket(points[place - 1]?.at ?? 0, bucket);
      drawn.push({ at, rate: null, range: null, total: 0 });
    }
    drawn.push({ ...point, alone: !isJoined && !follows(point, points[place + 1]) });
  });
  return drawn;
}

/** The address of the conversations that got the reactions of a bucket, narrowed as the report is. */
export function conversationsOf(
  at: number,
  { bucket, start, end }: Pick<SatisfactionReport, "bucket" | "start" | "end">,
  { project, agent, origin, user_type }: SatisfactionSearch,
  group: GroupOf | null = null,
): ConversationsSearch {
  const narrowed: ConversationsSearch = {
    project,
    agent,
    origin,
    user_type: user_type === "all" ? undefined : (user_type ?? "end_user"),
    reacted_start: dayOf(Math.max(at, Date.parse(start))), // the first and the last may be cut
    reacted_end: dayOf(Math.min(nextBucket(at, bucket) - 1, Date.parse(end))),
    ...(group && group.name !== null ? { [group.by]: group.name } : {}),
  };
  return Object.fromEntries(Object.entries(narrowed).filter(([, value]) => value !== undefined));
}

export interface GroupOf {
  by: GroupBy;
  name: string | null;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
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

/** What `low` and `high` are. */
export const INTERVAL = "95\u00a0% Wilson interval";

const OF_WHOM: Record<SatisfactionReport["user_type"], string> = { end_user: " of end users", member: " of members", all: "" };

export function reactionsOf(total: number, whose: SatisfactionReport["user_type"]): string {
  return `${total === 1 ? "1 reaction" : `${total.toLocaleString("en")} reactions`}${OF_WHOM[whose]}`;
}

/** "61 to 88 %", with a sign that stays on its line; nothing where nothing was counted. */
export function interval({ low, high }: Pick<Satisfaction, "low" | "high">): string {
  return low === null || high === null ? "" : `${Math.round(low * 100)} to ${Math.round(high * 100)}\u00a0%`;
}

/** "Week of 5 Jan 2026: 50 %, 25 to 75 %, 2 reactions". */
export function pointInWords({ at, rate, range: [low, high], total }: RatePoint, bucket: Bucket): string {
  const reactions = total === 1 ? "1 reaction" : `${total} reactions`;
  return `${bucketFormat(bucket, true)(at)}: ${rate} %, ${low} to ${high} %, ${reactions}`;
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
