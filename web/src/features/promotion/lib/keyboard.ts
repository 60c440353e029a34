/** Review by keyboard: what each key means, and where it leads. Pure. */
export interface Stop {
  responseId: string;
  /** Of the dimensions that are shown; a response without any is one stop by itself. */
  keys: readonly string[];
}

export interface Position {
  responseId: string;
  key: string | null;
}

export type Move = "nextResponse" | "previousResponse" | "next" | "previous" | "first" | "last";
export type Act = "promote" | "promoteAll" | "reject" | "help";
export type Command = { move: Move } | { act: Act };

export const REVIEW_KEYS = [
  { keys: ["j"], means: "Next response" },
  { keys: ["k"], means: "Previous response" },
  { keys: ["↓", "↑"], means: "Next or previous value" },
  { keys: ["p"], means: "Promote this value" },
  { keys: ["a"], means: "Promote all that can be" },
  { keys: ["r"], means: "Reject, with notes" },
  { keys: ["?"], means: "Show these keys" },
] as const;

const COMMANDS: Record<string, Command> = {
  j: { move: "nextResponse" },
  k: { move: "previousResponse" },
  ArrowDown: { move: "next" },
  ArrowUp: { move: "previous" },
  Home: { move: "first" },
  End: { move: "last" },
  p: { act: "promote" },
  a: { act: "promoteAll" },
  r: { act: "reject" },
  "?": { act: "help" },
};

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Null for keys that belong to the browser or to nobody. */
export function commandFor({ key, ctrlKey, metaKey, altKey }: Press): Command | null {
  if (ctrlKey || metaKey || altKey) return null;
  return COMMANDS[key.length === 1 ? key.toLowerCase() : key] ?? null;
}

/** Letters and signs; arrows, Home and End scroll the page unless the focus is in the list. */
export function worksAnywhere({ key }: Pick<Press, "key">): boolean {
  return key.length === 1;
}

function firstOf(stop: Stop): Position {
  return { responseId: stop.responseId, key: stop.keys[0] ?? null };
}

function flatten(stops: readonly Stop[]): Position[] {
  return stops.flatMap(({ responseId, keys }): Position[] =>
    keys.length === 0 ? [{ responseId, key: null }] : keys.map((key) => ({ responseId, key })),
  );
}

function clamp(place: number, length: number): number {
  return Math.min(Math.max(place, 0), length - 1);
}

/** The ends hold: nothing wraps round, so that a held key stops at the last one. */
export function move(stops: readonly Stop[], at: Position | null, how: Move): Position | null {
  const all = flatten(stops);
  if (all.length === 0) return null;
  if (how === "first") return all[0] ?? null;
  if (how === "last") return all[all.length - 1] ?? null;
  if (how === "next" || how === "previous") {
    const here = all.findIndex((stop) => stop.responseId === at?.responseId && stop.key === at.key);
    if (here === -1) return all[0] ?? null;
    return all[clamp(here + (how === "next" ? 1 : -1), all.length)] ?? null;
  }
  const here = stops.findIndex((stop) => stop.responseId === at?.responseId);
  const there = here === -1 ? 0 : clamp(here + (how === "nextResponse" ? 1 : -1), stops.length);
  if (there === here && at) return at;
  const stop = stops[there];
  return stop ? firstOf(stop) : null;
}

/** Where to be after the list changed under one's feet: the same place, or what now stands there. */
export function settle(before: readonly Stop[], after: readonly Stop[], at: Position | null): Position | null {
  if (after.length === 0) return null;
  const same = after.find((stop) => stop.responseId === at?.responseId);
  if (same) return at && (at.key === null || same.keys.includes(at.key)) ? at : firstOf(same);
  const place = before.findIndex((stop) => stop.responseId === at?.responseId);
  const stop = after[clamp(place, after.length)];
  return stop ? firstOf(stop) : null;
}

export function samePosition(one: Position | null, other: Position | null): boolean {
  return one?.responseId === other?.responseId && one?.key === other?.key;
}
