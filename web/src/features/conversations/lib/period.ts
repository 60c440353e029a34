/** Stretches of time as an address says them and as the server wants them. Pure. */
export const PERIODS = [7, 30, 90, 365] as const;
export type Days = (typeof PERIODS)[number];
export const DAYS_SHOWN: Days = 90; // of satisfaction, unless told: the server's own default

export interface Period {
  days?: Days | undefined;
  /** Days as 2026-01-31, which count before `days`. */
  start?: string | undefined;
  end?: string | undefined;
}

const DAY_MS = 86_400_000;

export function isChosen({ start, end }: Period): boolean {
  return start !== undefined || end !== undefined;
}

/** From the beginning of the first day to the end of the last one; an end that nobody set is open. */
export function bounds(period: Period, now: Date): { start?: string; end?: string } {
  if (isChosen(period)) {
    return {
      ...(period.start ? { start: `${period.start}T00:00:00Z` } : {}),
      ...(period.end ? { end: `${period.end}T23:59:59.999999Z` } : {}),
    };
  }
  if (period.days === undefined) return {};
  return { start: `${dayBefore(now, period.days)}T00:00:00Z` };
}

/** The same for days on which reactions were given. */
export function reactedBounds(start: string | undefined, end: string | undefined): { reacted_start?: string; reacted_end?: string } {
  const { start: from, end: to } = bounds({ start, end }, new Date(0));
  return { ...(from ? { reacted_start: from } : {}), ...(to ? { reacted_end: to } : {}) };
}

export function dayBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
}
