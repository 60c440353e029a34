/** What an erasure is about, and what it found, in words. */
import type { Erasure, ErasureKind } from "@/api/types";

export const ERASURE_KIND: Record<ErasureKind, string> = {
  conversation: "A conversation",
  session: "A session",
  record: "A record",
  responses: "Responses of a record",
  end_user: "An end user",
  workspace: "The workspace",
  retention: "Its time was over",
};

export const ERASURE_STATUS: Record<string, { label: string; color: string }> = {
  queued: { label: "Waits", color: "gray" },
  running: { label: "Being deleted", color: "blue" },
  done: { label: "Deleted", color: "green" },
  failed: { label: "Failed", color: "red" },
  cancelled: { label: "Cancelled", color: "orange" },
};

const FOUND: Record<string, [one: string, many: string]> = {
  end_user: ["end user", "end users"],
  conversation: ["conversation", "conversations"],
  turn: ["turn in another conversation", "turns in other conversations"],
  reaction: ["reaction elsewhere", "reactions elsewhere"],
  session: ["session", "sessions"],
  feedback: ["piece of feedback", "pieces of feedback"],
  response: ["response", "responses"],
  record: ["record", "records"],
  trace: ["trace", "traces"],
  golden: ["golden, which is revoked", "goldens, which are revoked"],
  archive: ["exported archive", "exported archives"],
  alternative: ["alternative of a golden", "alternatives of goldens"],
};

/** `3 conversations`: what a preview counts. What is not known by a word is called by its name. */
export function countFound(kind: string, count: number): string {
  const [one, many] = FOUND[kind] ?? [kind, kind];
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

const KEPT: Record<string, string> = { conversations: "conversation", sessions: "session", events: "event" };

/** `1 session`, `3 bodies of traces`: what retention counts. */
export function countKept(what: string, count: number, one = KEPT[what] ?? what): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : what}`;
}

/** How many rows went or lost their text. */
export function countRows({ gone }: Pick<Erasure, "gone">): number {
  return Object.values(gone).reduce((sum, count) => sum + count, 0);
}

/** `session_events (text)`: a row that stays without its text. */
export function nameTable(table: string): { table: string; staysWithoutText: boolean } {
  const name = table.replace(/ \(text\)$/, "");
  return { table: name, staysWithoutText: name !== table };
}

/** Null for a field that is empty: keep for ever. */
export function readDays(value: string | number): number | null {
  return value === "" ? null : Number(value);
}
