/** What was begun in a form and not sent, kept by the browser until it is sent, dropped or signed out. */
const PREFIX = "goldloop.draft/";

/** A tab forgets when it is closed; what took long to fill in is worth keeping beyond that. */
export type Keeper = "tab" | "browser";

function storageOf(keeper: Keeper): Storage {
  return keeper === "tab" ? sessionStorage : localStorage;
}

/** Undefined when there is none, or none that can be read. */
export function readDraft(name: string, keeper: Keeper = "tab"): unknown {
  try {
    const text = storageOf(keeper).getItem(PREFIX + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A browser may refuse to keep anything; the form goes on without. Says whether it was kept. */
export function keepDraft(name: string, draft: unknown, keeper: Keeper = "tab"): boolean {
  try {
    storageOf(keeper).setItem(PREFIX + name, JSON.stringify(draft));
    return true;
  } catch {
    dropDraft(name, keeper);
    return false;
  }
}

export function dropDraft(name: string, keeper: Keeper = "tab"): void {
  try {
    storageOf(keeper).removeItem(PREFIX + name);
  } catch {
    // There is nothing to drop where nothing can be kept.
  }
}

function dropDrafts(keeper: Keeper): void {
  try {
    const storage = storageOf(keeper);
    const names = Object.keys(storage).filter((name) => name.startsWith(PREFIX));
    for (const name of names) storage.removeItem(name);
  } catch {
    // As above.
  }
}

export function dropAllDrafts(): void {
  dropDrafts("tab");
  dropDrafts("browser");
}
