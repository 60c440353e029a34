/** What was begun in a form and not sent, kept in this tab of the browser until it is sent, dropped or signed out. */
const PREFIX = "goldloop.draft/";

/** Undefined when there is none, or none that can be read. */
export function readDraft(name: string): unknown {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A browser may refuse to keep anything; the form goes on without. */
export function keepDraft(name: string, draft: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch {
    dropDraft(name);
  }
}

export function dropDraft(name: string): void {
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // There is nothing to drop where nothing can be kept.
  }
}

export function dropAllDrafts(): void {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX));
    for (const name of names) sessionStorage.removeItem(name);
  } catch {
    // As above.
  }
}
