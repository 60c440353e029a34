/** What waits to be sent, in order, and which of it is sent in one call. Pure.
 *
 * Turns of one conversation that wait at the same time go together, as one list, and so do events of one session: up to
 * `MOST_ITEMS` of them, `MOST_BYTES` long, and none from behind something else in that conversation or session (a reaction, an
 * end), which is to find what came before it and nothing else.
 */
import { Encoded, type Request } from "./transport.js";

export const MOST_ITEMS = 1000; // that the server takes in one call
export const MOST_BYTES = 512 * 1024; // half of what the server takes in one call unless it is set up otherwise
const CONVERSATION_PARTS = 5; // of a path: "", "conversations", the workspace, the project, the conversation
const SESSION_PARTS = 4; // of a path: "", "api", "sessions", the session
const SESSIONS = "/api/sessions";
const MOST_PASSED_OVER = 100; // beginnings of sessions, in search of something that can make room for less

/** One submission, encoded. `itemId` is that of a turn or an event, which can go in a list with others. */
export interface Queued {
  path: string;
  query: Record<string, string>;
  text: string;
  bytes: number;
  itemId: string | null;
}

const isEvent = (each: Queued): boolean => each.itemId !== null && each.path.startsWith(`${SESSIONS}/`);

/** Whether the gate is to read what the user of a turn says; a turn that comes alone is read unless told. */
const isRead = (each: Queued): boolean => each.query.gate !== "false";

/** The conversation or session that it is in; null for what is in none. */
function streamOf({ path }: Queued): string | null {
  const parts = path.split("/");
  if (parts[1] === "conversations") return parts.slice(0, CONVERSATION_PARTS).join("/");
  return path.startsWith(`${SESSIONS}/`) ? parts.slice(0, SESSION_PARTS).join("/") : null;
}

/** Oldest first. Taking, dropping and being done cost the same however many wait. */
export class Queue {
  readonly #waiting = new Set<Queued>();
  readonly #streams = new Map<string, Set<Queued>>();

  get size(): number {
    return this.#waiting.size;
  }

  add(each: Queued): void {
    this.#waiting.add(each);
    const stream = streamOf(each);
    if (stream === null) return;
    const others = this.#streams.get(stream) ?? new Set();
    this.#streams.set(stream, others.add(each));
  }

  /** The beginning of a session makes room only where there is little else: without it the rest is lost as well. */
  dropOldest(): void {
    let [oldest] = this.#waiting;
    let passed = 0;
    for (const each of this.#waiting) {
      if (each.path !== SESSIONS) {
        oldest = each;
        break;
      }
      passed += 1;
      if (passed === MOST_PASSED_OVER) break;
    }
    if (oldest) this.remove([oldest]);
  }

  /** How many of them still waited. */
  remove(batch: readonly Queued[]): number {
    let removed = 0;
    for (const each of batch) {
      removed += Number(this.#waiting.delete(each));
      const stream = streamOf(each);
      const others = stream === null ? undefined : this.#streams.get(stream);
      if (stream !== null && others?.delete(each) && others.size === 0) this.#streams.delete(stream);
    }
    return removed;
  }

  /** The oldest one that is not among the `others`, with the turns or events that go with it; they stay until they are removed. */
  oldest(most = MOST_ITEMS, others: ReadonlySet<Queued> = new Set(), mostBytes = MOST_BYTES): Queued[] {
    for (const first of this.#waiting) {
      if (!others.has(first)) return this.#with(first, most, others, mostBytes);
    }
    return [];
  }

  #with(first: Queued, most: number, others: ReadonlySet<Queued>, mostBytes: number): Queued[] {
    const stream = streamOf(first);
    if (first.itemId === null || stream === null) return [first];
    const batch: Queued[] = [];
    const seen = new Set<string>();
    let bytes = 0;
    for (const each of this.#streams.get(stream) ?? []) {
      if (others.has(each)) continue;
      const fits = batch.length < most && (batch.length === 0 || bytes + each.bytes <= mostBytes);
      if (each.itemId === null || seen.has(each.itemId) || isRead(each) !== isRead(first) || !fits) break;
      batch.push(each);
      seen.add(each.itemId);
      bytes += each.bytes;
    }
    return batch;
  }
}

/** One request for all of them; its answer is not read. */
export function joined(batch: readonly [Queued, ...Queued[]]): Request {
  const [first] = batch;
  const isList = batch.length > 1 || isEvent(first);
  const query = { ...first.query };
  if (batch.length > 1 && !isEvent(first)) query.gate = String(isRead(first)); // a list is read only if it is asked for
  const text = isList ? `[${batch.map((each) => each.text).join(",")}]` : first.text;
  return { method: "POST", path: first.path, query, body: new Encoded(text), safe: true };
}
