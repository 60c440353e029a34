/** Sends requests with `fetch`, reads answers and errors, and tries again where that does no harm. Infrastructure. */
import { GoldloopError, type Problem } from "./errors.js";
import { DEFAULT_RETRY, isPassing, parseRetryAfter, type RetryPolicy, waitBefore } from "./retries.js";

const SHOWN = 200; // characters of an answer that is not ours, enough to recognise whose it is
const LONGEST_TIMER = 2 ** 31 - 1; // milliseconds; a longer one would fire at once

export interface Request {
  method: string;
  /** `@` as a part of it is the workspace of the key. */
  path: string;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  /** Sent twice it does no more than once. */
  safe: boolean;
}

export interface SendOptions {
  /** Ends the call; what it was ended with is thrown. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. */
  timeout?: number | undefined;
  /** The request outlives the page. */
  keepalive?: boolean | undefined;
}

export interface TransportSettings {
  url: string;
  key: string;
  timeout?: number | undefined;
  retry?: Partial<RetryPolicy> | undefined;
  fetch?: typeof fetch | undefined;
}

export class Transport {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #timeout: number;
  readonly #retry: RetryPolicy;
  readonly #fetch: typeof fetch;
  #workspace: string | undefined;

  constructor(settings: TransportSettings) {
    this.#url = settings.url.replace(/\/+$/, "");
    this.#headers = { Authorization: `Bearer ${settings.key}`, Accept: "application/json" };
    this.#timeout = settings.timeout ?? 10_000;
    if (!(this.#timeout > 0 && this.#timeout <= LONGEST_TIMER)) {
      throw new RangeError("A timeout is a positive number of milliseconds");
    }
    this.#retry = { ...DEFAULT_RETRY, ...settings.retry };
    this.#fetch = settings.fetch ?? ((...given) => fetch(...given));
  }

  /** Runs a request, again where that does no harm. */
  async send(request: Request, options: SendOptions = {}): Promise<unknown> {
    const began = Date.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.sendOnce(request, options);
      } catch (error) {
        if (!request.safe || !(error instanceof GoldloopError) || !isPassing(error)) throw error;
        const { retryAfter } = error;
        const now = { attempt, elapsed: Date.now() - began, retryAfter, chance: Math.random() };
        const wait = waitBefore(this.#retry, now);
        if (wait === null) throw error;
        await sleep(wait, options.signal);
      }
    }
  }

  async sendOnce(request: Request, options: SendOptions = {}): Promise<unknown> {
    const path = request.path.includes("/@/")
      ? request.path.replace("/@/", `/${await this.#findWorkspace(options)}/`)
      : request.path;
    const wanted = `${request.method} ${path}`;
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), options.timeout ?? this.#timeout);
    const giveUp = () => ended.abort();
    options.signal?.addEventListener("abort", giveUp);
    if (options.signal?.aborted) giveUp();
    try {
      const answer = await this.#fetch(this.#url + path + queryText(request.query), {
        method: request.method,
        headers: {
          ...this.#headers,
          ...(request.body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(request.body === undefined ? {} : { body: encoded(request.body) }),
        credentials: "omit",
        redirect: "error", // the key goes to the address it was given for
        signal: ended.signal,
        ...(options.keepalive ? { keepalive: true } : {}),
      });
      return read(answer, await answer.text(), wanted);
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      if (error instanceof GoldloopError || error instanceof NotJson) throw error;
      const what = ended.signal.aborted ? "took too long" : `failed: ${reasonOf(error)}`;
      throw new GoldloopError({ code: "connection_failed", detail: `${wanted} ${what}` }, { cause: error });
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", giveUp);
    }
  }

  async #findWorkspace(options: SendOptions): Promise<string> {
    if (this.#workspace === undefined) {
      const { timeout, signal } = options;
      const asked = { method: "GET", path: "/api/workspace", safe: true };
      this.#workspace = ((await this.sendOnce(asked, { timeout, signal })) as { slug: string }).slug;
    }
    return this.#workspace;
  }
}

/** JSON that was encoded before: what the caller changes afterwards is not sent. */
export class Encoded {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What JSON has no form for: a circle, a `bigint`. */
export class NotJson extends TypeError {}

function encoded(body: unknown): string {
  if (body instanceof Encoded) return body.text;
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new NotJson(`The body cannot be written as JSON: ${reasonOf(error)}`, { cause: error });
  }
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    }, milliseconds);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener("abort", giveUp, { once: true });
  });
}

function queryText(query: Record<string, unknown> = {}): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) found.append(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = found.toString();
  return text && `?${text}`;
}

function read(answer: Response, text: string, wanted: string): unknown {
  if (!answer.ok) throw readError(answer, text);
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GoldloopError(
      {
        status: answer.status,
        code: "unexpected_answer",
        detail: `The answer to ${wanted} is not Goldloop's: ${text.slice(0, SHOWN).trim()}`,
      },
      { cause: error },
    );
  }
}

function readError(answer: Response, text: string): GoldloopError {
  return new GoldloopError({
    ...problemIn(answer, text),
    status: answer.status,
    requestId: answer.headers.get("x-request-id"),
    retryAfter: parseRetryAfter(answer.headers.get("retry-after"), Date.now()),
  });
}

function problemIn(answer: Response, text: string): Problem {
  try {
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.code === "string" && typeof problem.detail === "string") return problem;
  } catch {
    // a proxy's page
  }
  const shown = text.slice(0, SHOWN).trim() || answer.statusText;
  return { code: `http_${answer.status}`, detail: `HTTP ${answer.status}: ${shown}` };
}

/** Node says only "fetch failed", and the reason beneath. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}
