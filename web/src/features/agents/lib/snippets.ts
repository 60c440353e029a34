/** The lines that connect an agent: those of `cases/snippets`, which the tests run and the documentation shows. Pure. */

/** What comes of the lines: spans, sessions that are recorded, or calls over MCP. */
export type Receives = "spans" | "sessions" | "calls";

export interface Snippet {
  id: string;
  name: string;
  about: string;
  receives: Receives;
  /** What a key for it may do; null is all that its role may. */
  scopes: string[] | null;
  blocks: { label: string; file: string }[];
}

const LISTED = import.meta.glob<Snippet[]>("../../../../../cases/snippets/index.json", { eager: true, import: "default" });
const TEXTS = import.meta.glob<string>(["../../../../../cases/snippets/*", "!**/index.json"], {
  eager: true,
  query: "?raw",
  import: "default",
});

export const SNIPPETS: readonly Snippet[] = Object.values(LISTED).flat();

/** What the lines say where an installation, its key and an agent stand. */
const ADDRESS = "http://127.0.0.1:8400";
export const KEY_PLACEHOLDER = "gl_…";
const AGENT = "my-agent";

const BY_FILE = new Map(Object.entries(TEXTS).map(([path, text]) => [path.slice(path.lastIndexOf("/") + 1), text]));

export interface Filled {
  origin: string;
  /** Null as long as there is none: the placeholder stays. */
  key: string | null;
  agent?: string;
}

/** The text of a file of a snippet, for an installation. */
export function fillLines(file: string, { origin, key, agent = AGENT }: Filled): string {
  const text = BY_FILE.get(file);
  if (text === undefined) throw new Error(`There is no snippet ${file}`);
  return text.replaceAll(ADDRESS, origin).replaceAll(KEY_PLACEHOLDER, key ?? KEY_PLACEHOLDER).replaceAll(AGENT, agent).trimEnd();
}

/** The one that an address names, or the first. */
export function findSnippet(id: string | undefined): Snippet {
  const found = SNIPPETS.find((snippet) => snippet.id === id) ?? SNIPPETS[0];
  if (!found) throw new Error("There are no snippets");
  return found;
}
