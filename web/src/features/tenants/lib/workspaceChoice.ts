/** Which workspace this browser tab shows: its own choice, else the browser's last one. */
const STORAGE_KEY = "goldloop.workspace";

function read(storage: () => Storage): string | null {
  try {
    return storage().getItem(STORAGE_KEY);
  } catch {
    return null; // storage may be blocked
  }
}

function write(storage: () => Storage, slug: string): void {
  try {
    storage().setItem(STORAGE_KEY, slug);
  } catch {
    // Without storage the choice lasts until the page is reloaded.
  }
}

let chosen: string | null = null;
const listeners = new Set<() => void>();

export function subscribeToChoice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function chosenWorkspace(): string | null {
  chosen ??= read(() => sessionStorage) ?? read(() => localStorage);
  return chosen;
}

export function chooseWorkspace(slug: string): void {
  chosen = slug;
  write(() => sessionStorage, slug);
  write(() => localStorage, slug);
  for (const listener of listeners) listener();
}

export function forgetChoice(): void {
  chosen = null;
}

/** The chosen workspace while it is still one of theirs, else their first. */
export function pickWorkspace<W extends { slug: string }>(workspaces: readonly W[], slug: string | null): W | null {
  return workspaces.find((workspace) => workspace.slug === slug) ?? workspaces[0] ?? null;
}
