/** Which cached answers a message from the server makes stale. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import * as v from "valibot";

/** What changed under a topic: these subjects; null means many, or not known which. */
const Change = v.object({ topic: v.string(), subjects: v.nullable(v.array(v.string())) });
export type Change = v.InferOutput<typeof Change>;

/** What someone may do, and where, hangs on who is a member; lists of agents and of tasks say when each ran last,
 * goldens how their unchanged replays went. */
const ALSO_STALE: Record<string, readonly string[]> = {
  agents: ["agents_overview"],
  sessions: ["agents_overview", "tasks"],
  eval_runs: ["goldens"],
  members: ["workspace", "session"],
  workspace: ["session"],
};

/** Null when the message cannot be understood; then everything counts as changed. */
export function parseChange(data: string): Change | null {
  try {
    const parsed = v.safeParse(Change, JSON.parse(data));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/**
 * A key is `[topic, workspace, what, …]`. One that shows a single subject says so in the fourth place, as
 * `{ about: id }`, and stays fresh while others change; all others are lists, which anything may enter.
 */
export function isStale(queryKey: QueryKey, { topic, subjects }: Change): boolean {
  if (queryKey[0] === "inbox") return true; // what waits may hang on whatever there is
  if (ALSO_STALE[topic]?.includes(String(queryKey[0]))) return true;
  if (queryKey[0] !== topic) return false;
  const subject = subjectOf(queryKey[3]);
  return subjects === null || subject === null || subjects.includes(subject);
}

function subjectOf(part: unknown): string | null {
  const isNamed = typeof part === "object" && part !== null && "about" in part && typeof part.about === "string";
  return isNamed ? (part.about as string) : null;
}

export function invalidateChanged(queryClient: QueryClient, change: Change): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey, change) });
}

/** All but what stays as it was when it was opened, which its query says by `meta: { stays: true }`. */
export function invalidateAll(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.stays !== true });
}
