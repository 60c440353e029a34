/** Which cached answers a message from the server makes stale. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import * as v from "valibot";

const Change = v.object({ topics: v.array(v.string()) });

/** What someone may do, and where, hangs on who is a member. */
const ALSO_STALE: Record<string, readonly string[]> = {
  members: ["workspace", "session"],
  workspace: ["session"],
};

/** Null when the message cannot be understood; then everything counts as changed. */
export function parseTopics(data: string): string[] | null {
  try {
    const parsed = v.safeParse(Change, JSON.parse(data));
    return parsed.success ? parsed.output.topics : null;
  } catch {
    return null;
  }
}

export function isStale(queryKey: QueryKey, topics: readonly string[]): boolean {
  return topics.some((topic) => queryKey[0] === topic || ALSO_STALE[topic]?.includes(String(queryKey[0])));
}

export function invalidateTopics(queryClient: QueryClient, topics: readonly string[]): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey, topics) });
}

export function invalidateAll(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries();
}
