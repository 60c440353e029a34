/** "Which answer did you mean?" by keyboard: what each key means, and where it leads. Pure. */
export type Command = { move: 1 | -1 } | { choose: number } | { act: "none" | "help" };

export const QUEUE_KEYS = [
  { keys: ["j", "↓"], means: "Next message" },
  { keys: ["k", "↑"], means: "Previous message" },
  { keys: ["1", "…", "5"], means: "Go to that answer" },
  { keys: ["0"], means: "Go to “None of these”" },
  { keys: ["Enter"], means: "Settle it" },
  { keys: ["?"], means: "Show these keys" },
] as const;

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Null for keys that belong to the browser or to nobody. */
export function commandFor({ key, ctrlKey, metaKey, altKey }: Press): Command | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (/^[1-5]$/.test(key)) return { choose: Number(key) };
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case "j":
    case "ArrowDown":
      return { move: 1 };
    case "k":
    case "ArrowUp":
      return { move: -1 };
    case "0":
      return { act: "none" };
    case "?":
      return { act: "help" };
    default:
      return null;
  }
}

/** Letters, digits and signs; arrows scroll the page unless the focus is in the list. */
export function worksAnywhere({ key }: Pick<Press, "key">): boolean {
  return key.length === 1;
}

/** The ends hold: nothing wraps round, so that a held key stops at the last one. */
export function moved(ids: readonly string[], at: string | null, by: 1 | -1): string | null {
  const here = at === null ? -1 : ids.indexOf(at);
  if (here === -1) return ids[0] ?? null;
  return ids[Math.min(Math.max(here + by, 0), ids.length - 1)] ?? null;
}

/** Where to be after the list changed under one's feet: the same place, or what now stands there. */
export function stillAt(before: readonly string[], after: readonly string[], at: string | null): string | null {
  if (at === null || after.includes(at)) return at;
  return after[Math.min(Math.max(before.indexOf(at), 0), after.length - 1)] ?? null;
}
