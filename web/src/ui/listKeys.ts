/** A list by keyboard: what each key means, and where it leads. Pure. */

/** An item of the list. */
export interface Stop {
  id: string;
  /** Its parts that are stops of their own; an item without any is one stop by itself. */
  keys: readonly string[];
}

export interface Position {
  id: string;
  key: string | null;
}

export type Move = "nextItem" | "previousItem" | "next" | "previous" | "first" | "last";
export type Command<Act extends string> = { move: Move } | { act: Act } | { help: true };

const MOVES: Record<string, Move> = {
  j: "nextItem",
  k: "previousItem",
  ArrowDown: "next",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
};

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey?: boolean;
}

/** Null for keys that belong to the browser or to nobody; `acts` are those of the list, by key. */
export function commandFor<Act extends string>(
  { key, ctrlKey, metaKey, altKey, shiftKey = false }: Press,
  acts: Readonly<Record<string, Act>>,
): Command<Act> | null {
  if (ctrlKey || metaKey || altKey) return null;
  const plain = key.length === 1 ? key.toLowerCase() : key;
  if (plain === "?") return { help: true };
  const move = Object.hasOwn(MOVES, plain) ? MOVES[plain] : undefined;
  if (move) return { move };
  // A capital means something of its own only where Shift is held: Caps Lock changes no key.
  const named = shiftKey && Object.hasOwn(acts, key) ? key : plain;
  const act = Object.hasOwn(acts, named) ? acts[named] : undefined;
  return act === undefined ? null : { act };
}

/** Letters, digits and signs: what words are typed with. Arrows, Home and End scroll the page unless the focus is in the
 * list, and a space presses a button. */
export function isLetter({ key }: Pick<Press, "key">): boolean {
  return key.length === 1 && key !== " ";
}

const BURST_MS = 400; // slower than anyone types a word

/** Whether a key goes on with what was typed in a field that may be gone since: it was not meant for the list. */
export function isStillTyping(typedAt: number, pressedAt: number): boolean {
  return pressedAt - typedAt < BURST_MS;
}

function firstOf(stop: Stop): Position {
  return { id: stop.id, key: stop.keys[0] ?? null };
}

function flatten(stops: readonly Stop[]): Position[] {
  return stops.flatMap(({ id, keys }): Position[] =>
    keys.length === 0 ? [{ id, key: null }] : keys.map((key) => ({ id, key })),
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
    const here = all.findIndex((stop) => samePosition(stop, at));
    if (here === -1) return all[0] ?? null;
    return all[clamp(here + (how === "next" ? 1 : -1), all.length)] ?? null;
  }
  const here = stops.findIndex((stop) => stop.id === at?.id);
  const there = here === -1 ? 0 : clamp(here + (how === "nextItem" ? 1 : -1), stops.length);
  if (there === here && at) return at;
  const stop = stops[there];
  return stop ? firstOf(stop) : null;
}

/** Where to be after the list changed under one's feet: the same place, or what now stands there. */
export function settle(before: readonly Stop[], after: readonly Stop[], at: Position | null): Position | null {
  if (after.length === 0) return null;
  const same = after.find((stop) => stop.id === at?.id);
  if (same) return at && (at.key === null || same.keys.includes(at.key)) ? at : firstOf(same);
  const place = before.findIndex((stop) => stop.id === at?.id);
  const stop = after[clamp(place, after.length)];
  return stop ? firstOf(stop) : null;
}

export function samePosition(one: Position | null, other: Position | null): boolean {
  return one?.id === other?.id && one?.key === other?.key;
}
