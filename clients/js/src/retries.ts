/** The single source of the retry policy. Pure. */
import type { GoldloopError } from "./errors.js";

/** Only what does no harm when repeated is sent again. `budget` bounds the whole call, waits and all. Times are milliseconds. */
export interface RetryPolicy {
  attempts: number;
  firstWait: number;
  longestWait: number;
  budget: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 4, firstWait: 250, longestWait: 8000, budget: 30_000 };

const PASSING = new Set([429, 502, 503, 504]); // answers that say "not now"

export const isPassing = ({ status, code }: GoldloopError): boolean =>
  code === "connection_failed" || PASSING.has(status ?? 0);

/** Milliseconds until the next attempt, null when there is none. `attempt` counts from 1, `chance` is 0 to 1: it spreads
 * clients that failed together over the upper half of the wait. */
export function waitBefore(
  policy: RetryPolicy,
  now: { attempt: number; elapsed: number; retryAfter: number | null; chance: number },
): number | null {
  if (now.attempt >= policy.attempts) return null;
  const backoff = Math.min(policy.longestWait, policy.firstWait * 2 ** (now.attempt - 1));
  const wait = Math.max(now.retryAfter ?? 0, backoff * (0.5 + now.chance / 2));
  return now.elapsed + wait < policy.budget ? wait : null;
}

/** Milliseconds, from a number of seconds or a date; null when there is nothing to go by. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (!header) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
