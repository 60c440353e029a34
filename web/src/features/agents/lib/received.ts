/** What came since a page was opened, and what in it is left out. Pure. */
import type { AgentSession, OtlpSource } from "@/api/types";

export interface Arrival {
  source: OtlpSource;
  /** Spans that were not there before. */
  spans: number;
}

const nameOf = ({ service, scope, sdk }: OtlpSource) => JSON.stringify([service, scope, sdk]);

/** The sources that sent something, those with the most spans first. */
export function newSpans(before: readonly OtlpSource[], now: readonly OtlpSource[]): Arrival[] {
  const known = new Map(before.map((source) => [nameOf(source), source.spans]));
  return now
    .map((source) => ({ source, spans: source.spans - (known.get(nameOf(source)) ?? 0) }))
    .filter(({ spans }) => spans > 0)
    .sort((one, other) => other.spans - one.spans);
}

/**
 * The sessions that are new or went on. Both lists are the newest of all, at most `limit`: one that moved up because
 * another vanished is older than what was known, and not new.
 */
export function newSessions(before: readonly AgentSession[], now: readonly AgentSession[], limit: number): AgentSession[] {
  const known = new Map(before.map(({ id, events }) => [id, events]));
  const oldest = before.length < limit ? "" : (before.at(-1)?.created_at ?? "");
  return now.filter(({ id, events, created_at }) => {
    const had = known.get(id);
    return had === undefined ? created_at >= oldest : events > had;
  });
}

/** "3 of 4", or a dash where there was nothing to count. */
export function shareText(has: number, of: number): string {
  return of === 0 ? "–" : `${has.toLocaleString("en")} of ${of.toLocaleString("en")}`;
}

const LEFT_OUT: Record<string, string> = { content: "What was said", session: "Session", user: "User" };

/** A part that is newer than this page is called as the server calls it. */
export function leftOutLabel(what: string): string {
  return LEFT_OUT[what] ?? what;
}

/** What of a sentence about a setting is to be copied: what stands between backticks, each on its line. */
export function settingsIn(how: string): string | null {
  const found = [...how.matchAll(/`([^`]+)`/g)].map(([, setting]) => setting);
  return found.length === 0 ? null : found.join("\n");
}
