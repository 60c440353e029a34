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
    tellWatchers();
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
  tellWatchers();
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
  tellWatchers();
}

/** Whether there is a draft whose name begins so, wherever it is kept. */
export function isDraftKept(start: string): boolean {
  try {
    const names = [...Object.keys(sessionStorage), ...Object.keys(localStorage)];
    return names.some((name) => name.startsWith(PREFIX + start));
  } catch {
    return false;
  }
}

const watchers = new Set<() => void>();

function tellWatchers(): void {
  for (const watcher of watchers) watcher();
}

/** Told whenever a draft is kept or dropped, also by another tab. Returns how to stop. */
export function watchDrafts(watcher: () => void): () => void {
  watchers.add(watcher);
  window.addEventListener("storage", watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener("storage", watcher);
  };
}
