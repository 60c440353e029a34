/** The client: the operations of the API as methods, a queue in the background, and sessions that are recorded. */
import { Background } from "./background.js";
import { makeMethods } from "./calls.js";
import { FLUSH_TIME } from "./delivery.js";
import { GoldloopError } from "./errors.js";
import { OPERATIONS, type Operations } from "./operations.gen.js";
import { Recording, type SessionBeginning } from "./recording.js";
import type { RetryPolicy } from "./retries.js";
import { Transport } from "./transport.js";

export interface ClientSettings {
  /** Where Goldloop is; in Node `GOLDLOOP_URL` unless told. */
  url?: string;
  /** In Node `GOLDLOOP_KEY` unless told. */
  key?: string;
  /** Milliseconds for one attempt: 10 000 unless told. */
  timeout?: number;
  retry?: Partial<RetryPolicy>;
  /** Submissions that the background queue holds: 1000 unless told. */
  queueSize?: number;
  /** Where the background queue says what it could not send: `console.warn` unless told. */
  log?: (message: string) => void;
  fetch?: typeof fetch;
}

class Goldloop {
  /** Neither throws nor waits. */
  readonly background: Background;

  constructor(settings: ClientSettings = {}) {
    const transport = new Transport({ ...settings, ...configured(settings) });
    Object.assign(this, makeMethods(OPERATIONS, (request, options) => transport.send(request, options)));
    this.background = new Background((request, options) => transport.sendOnce(request, options), settings);
  }

  /** A session to record; see `Recording.run`. */
  session(begin: SessionBeginning = {}): Recording {
    return new Recording(this.background, begin);
  }

  /** Waits until the background queue is empty; false when it is not within so many milliseconds. */
  flush(timeout = FLUSH_TIME): Promise<boolean> {
    return this.background.flush(timeout);
  }

  /** Flushes, and drops what is left. */
  close(timeout = FLUSH_TIME): Promise<boolean> {
    return this.background.close(timeout);
  }
}

/** Goldloop for Node and browsers. Methods throw `GoldloopError`; `background` neither throws nor waits. */
export type Client = Goldloop & Operations;
export const Client = Goldloop as new (settings?: ClientSettings) => Client;

function configured({ url, key }: ClientSettings): { url: string; key: string } {
  const { process: program } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const environment = program?.env ?? {};
  const found = { url: url || environment.GOLDLOOP_URL, key: key || environment.GOLDLOOP_KEY };
  if (!found.url || !found.key) {
    const missing = [found.url ? "" : "GOLDLOOP_URL", found.key ? "" : "GOLDLOOP_KEY"].filter(Boolean).join(" and ");
    throw new GoldloopError({ code: "not_configured", detail: `Give the client its url and key, or set ${missing}` });
  }
  return { url: found.url, key: found.key };
}
