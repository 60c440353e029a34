/** The stretch of a session's events that is at hand: without gaps, and growing at both ends. Pure. */
import type { SessionEvent } from "@/api/types";

export const PAGE = 200; // events that are asked for at once: as many as the server gives
const BEFORE_LINKED = 20; // events shown before the one that an address names

export interface Loaded {
  events: readonly SessionEvent[];
  /** Whether there was nothing after them when they were read. */
  isEnd: boolean;
}

/** The `seq` after which reading begins, so that the event an address names is on the first page, and that page full. */
export function startFor(event: number | undefined, total: number): number {
  return event === undefined ? 0 : Math.max(0, Math.min(event - 1 - BEFORE_LINKED, total - PAGE));
}

export function withLater(before: Loaded, events: readonly SessionEvent[], isEnd: boolean): Loaded {
  const last = lastSeq(before);
  const more = events.filter(({ seq }) => seq > last);
  if (more.length === 0 && before.isEnd === isEnd) return before; // the same object: nothing is drawn again
  return { events: more.length === 0 ? before.events : [...before.events, ...more], isEnd };
}

export function withEarlier(before: Loaded, events: readonly SessionEvent[]): Loaded {
  const first = before.events[0]?.seq ?? 0;
  return { ...before, events: [...events.filter(({ seq }) => seq < first), ...before.events] };
}

/** The page that ends where the stretch begins; null where it begins with the first event. */
export function earlierPage({ events }: Loaded): { after: number; limit: number } | null {
  const before = (events[0]?.seq ?? 1) - 1;
  return before === 0 ? null : { after: Math.max(0, before - PAGE), limit: Math.min(PAGE, before) };
}

export function lastSeq({ events }: Loaded): number {
  return events.at(-1)?.seq ?? 0;
}

export function holds({ events }: Loaded, seq: number): boolean {
  return seq >= (events[0]?.seq ?? Number.POSITIVE_INFINITY) && seq <= (events.at(-1)?.seq ?? 0);
}
