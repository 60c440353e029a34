/** Makes methods of the table of operations. */
import { addressPart } from "./addresses.js";
import { GoldloopError } from "./errors.js";
import { newId } from "./ids.js";
import { type Request, type SendOptions, sleep } from "./transport.js";

export interface CallOptions {
  /** Ends the call; what it was ended with is thrown. */
  signal?: AbortSignal;
  /** Milliseconds for one attempt. */
  timeout?: number;
}

export interface WaitOptions {
  signal?: AbortSignal;
  /** Milliseconds to wait in all: 600 000 unless told. */
  timeout?: number;
}

export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** All rows of a list, page by page, each fetched when you get there: `for await (const row of …)`. */
export interface Listing<Row> extends AsyncIterable<Row> {
  /** One page: the first, or the one at a cursor. */
  page(cursor?: string | null): Promise<Page<Row>>;
}

/** `METHOD address`, with `:` where a body follows the parts of the address and `?` where a query does; and a number. */
export type OperationTable = Record<string, Record<string, readonly [string, number]>>;

export type Send = (request: Request, options?: SendOptions) => Promise<unknown>;

const [SAFE, WITH_ID, LISTED, WAITED] = [1, 2, 4, 8]; // as tools/write_js_client.py has them
const PAGE_SIZE = 100; // rows fetched at a time; the server gives at most 200
const RESTING = ["completed", "failed", "cancelled", "waiting"]; // a session that does not go on by itself
const WAIT = { most: 600_000, first: 250, longest: 5000, growth: 1.5 };

export function makeMethods(table: OperationTable, send: Send): Record<string, Record<string, unknown>> {
  const each = Object.entries(table).map(([group, methods]) => {
    const made = Object.entries(methods).map(([name, [address, flags]]) => [name, method(address, flags, send)]);
    return [group, Object.fromEntries(made)];
  });
  return Object.fromEntries(each);
}

function method(address: string, flags: number, send: Send): (...given: unknown[]) => unknown {
  if (flags & WAITED) {
    return (...given) => {
      const [request, options] = requestOf(address, flags, given);
      return waitFor(send, request, options);
    };
  }
  if (flags & LISTED) {
    return (...given) => {
      const [request, options] = requestOf(address, flags, given);
      return listing(send, request, options);
    };
  }
  return async (...given) => {
    const [request, options] = requestOf(address, flags, given);
    return send(request, options);
  };
}

/** What a method was called with, as a request: the parts of the address, the body, the query, the options. */
function requestOf(address: string, flags: number, given: readonly unknown[]): [Request, SendOptions | undefined] {
  const [, verb = "", pattern = "", hasBody, hasQuery] = /^(\w+) ([^:?]+)(:?)(\??)$/.exec(address) ?? [];
  const left = [...given];
  const path = pattern.replace(/\{\}/g, () => addressPart(left.shift()));
  const request: Request = { method: verb, path, safe: (flags & SAFE) > 0 };
  if (hasBody) {
    const body = left.shift() ?? null;
    request.body = flags & WITH_ID ? { ...(body as object), id: (body as { id?: string } | null)?.id ?? newId() } : (body ?? {});
  }
  if (hasQuery) request.query = left.shift() as Record<string, unknown> | undefined;
  return [request, left.shift() as SendOptions | undefined];
}

function listing<Row>(send: Send, request: Request, options?: SendOptions): Listing<Row> {
  const page = (cursor?: string | null) =>
    send({ ...request, query: { limit: PAGE_SIZE, ...request.query, cursor } }, options) as Promise<Page<Row>>;
  return {
    page,
    async *[Symbol.asyncIterator]() {
      let cursor: string | null = null;
      do {
        const found: Page<Row> = await page(cursor);
        yield* found.data;
        cursor = found.next_cursor;
      } while (cursor !== null);
    },
  };
}

async function waitFor(send: Send, request: Request, { timeout, signal }: SendOptions = {}): Promise<unknown> {
  const end = Date.now() + (timeout ?? WAIT.most);
  for (let pause = WAIT.first; ; pause = Math.min(WAIT.longest, pause * WAIT.growth)) {
    const found = await send(request, { signal });
    if (RESTING.includes((found as { status: string }).status)) return found;
    const left = end - Date.now();
    if (left <= 0) {
      throw new GoldloopError({ code: "not_in_time", detail: `${request.path} is not what was waited for yet` });
    }
    await sleep(Math.min(pause, left), signal);
  }
}
