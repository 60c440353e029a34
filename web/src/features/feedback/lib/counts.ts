/** How much feedback came when, as charts need it. Pure. */
import type { FeedbackCount } from "@/api/types";
import { bucketFormat, nextBucket } from "@/features/conversations/lib/satisfaction";
import type { FeedbackSearch, Unit } from "./search";

/** One bar: how many of each part. */
export interface Bar {
  at: number;
  total: number;
  parts: Readonly<Record<string, number>>;
}

/** A bar for each step from the first to the last moment; where nothing came it is empty. */
export function toBars(counts: readonly FeedbackCount[], by: "rating" | "source_type", unit: Unit, span: [number, number]): Bar[] {
  const found = new Map<number, Record<string, number>>();
  for (const { at, count, ...of } of counts) {
    const bar = found.get(Date.parse(at)) ?? {};
    bar[of[by]] = (bar[of[by]] ?? 0) + count;
    found.set(Date.parse(at), bar);
  }
  const first = Math.min(beginOf(span[0], unit), ...found.keys());
  const last = Math.max(span[1], ...found.keys());
  const bars: Bar[] = [];
  for (let at = first; at <= last; at = nextBucket(at, unit)) {
    const parts = found.get(at) ?? {};
    bars.push({ at, parts, total: Object.values(parts).reduce((sum, count) => sum + count, 0) });
  }
  return bars;
}

/** The beginning of the step that a moment is in; in UTC, weeks begin on Monday, as the server cuts them. */
export function beginOf(moment: number, unit: Unit): number {
  const day = new Date(moment);
  day.setUTCHours(0, 0, 0, 0);
  if (unit === "week") day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  if (unit === "month") day.setUTCDate(1);
  return day.getTime();
}

/** The parts that there are any of, in the order given, with how many. */
export function totalsOf<Part extends string>(bars: readonly Bar[], parts: readonly Part[]): { part: Part; count: number }[] {
  return parts
    .map((part) => ({ part, count: bars.reduce((sum, bar) => sum + (bar.parts[part] ?? 0), 0) }))
    .filter(({ count }) => count > 0);
}

/** The address of what came in a step. */
export function feedbackOf(at: number, unit: Unit): FeedbackSearch {
  return { start: dayOf(at), end: dayOf(nextBucket(at, unit) - 1) };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** "Week of 5 Jan 2026: 3 negative, 1 positive". */
export function barInWords({ at, parts }: Bar, unit: Unit, labels: Readonly<Record<string, string>>): string {
  const said = Object.entries(parts).map(([part, count]) => `${count} ${(labels[part] ?? part).toLowerCase()}`);
  return `${bucketFormat(unit, true)(at)}: ${said.join(", ") || "nothing"}`;
}
