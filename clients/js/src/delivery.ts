/** The queue of the background client, sent in order. Infrastructure.
 *
 * Whoever puts something in does not wait. A page that is hidden sends what waits at once, so that it outlives the page.
 */
import { GoldloopError } from "./errors.js";
import { joined, MOST_ITEMS, Queue, type Queued } from "./queue.js";
import type { Send } from "./calls.js";
import type { Request } from "./transport.js";

const FIRST_PAUSE = 500; // milliseconds between tries while the server is away; doubles with each
const LONGEST_PAUSE = 30_000;
const TOGETHER = 50; // milliseconds after the first of several turns or events that are queued at once
const SAY_EVERY = 10_000; // milliseconds; a line says how many were dropped since the one before
const TRIES_AT_A_FAULT = 5; // a server that fails at one submission is not away: the others need not wait for it
const EXIT_TIME = 2000; // milliseconds for what is queued when a program ends without closing
const OUTLIVING_BYTES = 60_000; // browsers let requests of 64 KiB in all outlive their page
const REFUSED_AS_A_WHOLE = [401, 403, 404]; // what a part of a list would get as well
const ENDED = "session_ended"; // and so would one of a session that is over

export const DEFAULT_SIZE = 1000; // submissions
export const FLUSH_TIME = 5000; // milliseconds

/** `dropped` made room or came after closing; `failed` was refused by the server or could not be encoded. */
export interface BackgroundStats {
  queued: number;
  sent: number;
  failed: number;
  dropped: number;
}

export interface DeliverySettings {
  queueSize?: number | undefined;
  log?: ((message: string) => void) | undefined;
}

type Batch = [Queued, ...Queued[]];

export class Delivery {
  readonly #send: Send;
  readonly #size: number;
  readonly #log: (message: string) => void;
  readonly #queue = new Queue();
  readonly #leaving = new Set<Queued>(); // under way in requests that outlive the page
  readonly #unhook: () => void;
  #sent = 0;
  #failed = 0;
  #dropped = 0;
  #saidDropped = 0;
  #saidAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #isWorking = false;
  #current: readonly Queued[] = [];
  #most = MOST_ITEMS; // in one call; fewer while a list is refused
  #faults = 0; // of the oldest submission
  #isHurried = false;
  #wake: () => void = () => {};
  #emptied: (() => void)[] = [];

  constructor(send: Send, { queueSize = DEFAULT_SIZE, log = console.warn }: DeliverySettings = {}) {
    if (!(queueSize >= 1)) throw new RangeError("The queue holds at least one submission");
    this.#send = send;
    this.#size = queueSize;
    this.#log = (message) => {
      try {
        log(message);
      } catch {
        // a log that fails is no reason to break anything
      }
    };
    this.#unhook = hookEnd(this);
  }

  get stats(): BackgroundStats {
    return { queued: this.#queue.size, sent: this.#sent, failed: this.#failed, dropped: this.#dropped };
  }

  /** Waits until everything queued is sent or refused; false when that takes longer than so many milliseconds. */
  async flush(timeout = FLUSH_TIME): Promise<boolean> {
    if (this.#queue.size === 0) return true;
    const done = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(this.#queue.size === 0), timeout);
      this.#emptied.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
    this.#hurry();
    return done;
  }

  /** Flushes, then stops. What is left is dropped, and what comes later is dropped too. */
  async close(timeout = FLUSH_TIME): Promise<boolean> {
    const done = await this.flush(timeout);
    this.#isClosed = true;
    this.#unhook();
    while (this.#queue.size > 0) this.#drop("the client was closed");
    this.#hurry();
    return done;
  }

  /** Sends what waits in requests that outlive the page, as much as browsers allow. What is not answered stays. */
  outlive(): void {
    let left = OUTLIVING_BYTES - this.#current.reduce((sum, each) => sum + each.bytes, 0);
    const others = new Set([...this.#current, ...this.#leaving]);
    for (;;) {
      const [first, ...rest] = this.#queue.oldest(this.#most, others, left);
      if (!first) return;
      const batch: Batch = [first, ...rest];
      for (const each of batch) others.add(each);
      const bytes = batch.reduce((sum, each) => sum + each.bytes + 1, 0);
      if (bytes > left) continue;
      left -= bytes;
      void this.#leave(batch);
    }
  }

  protected countFailure(message: string): void {
    this.#failed += 1;
    this.#log(`goldloop: ${message}`);
  }

  /** False when it was dropped at once. */
  protected put(request: Request, text: string, itemId: string | null = null): boolean {
    if (this.#isClosed) {
      this.#dropped += 1;
      return false;
    }
    while (this.#queue.size >= this.#size) this.#drop("the queue is full");
    const query = Object.fromEntries(Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]));
    this.#queue.add({ path: request.path, query, text, bytes: new TextEncoder().encode(text).length, itemId });
    if (!this.#isWorking) void this.#work();
    return true;
  }

  #drop(why: string): void {
    this.#queue.dropOldest();
    this.#dropped += 1;
    const now = Date.now();
    if (now - this.#saidAt < SAY_EVERY && !(this.#isClosed && this.#queue.size === 0)) return;
    this.#log(`goldloop: ${this.#dropped - this.#saidDropped} submissions were dropped: ${why}`);
    this.#saidAt = now;
    this.#saidDropped = this.#dropped;
  }

  #hurry(): void {
    this.#isHurried = true;
    this.#wake();
  }

  /** Until so much time has passed or somebody is in a hurry. A program may end meanwhile. */
  async #pause(milliseconds: number, holdsProgram: boolean): Promise<void> {
    if (!this.#isHurried && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        if (!holdsProgram && typeof timer === "object") (timer as { unref?: () => void }).unref?.();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = () => {};
    this.#isHurried = false;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    this.#isHurried = false;
    await this.#pause(TOGETHER, true);
    let pause = FIRST_PAUSE;
    while (this.#queue.size > 0 && !this.#isClosed) {
      const [first, ...rest] = this.#queue.oldest(this.#most, this.#leaving);
      const againIn = first ? await this.#try([first, ...rest]) : 0;
      if (againIn === null) {
        pause = FIRST_PAUSE;
        continue;
      }
      await this.#pause(Math.max(pause, againIn), false);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
    this.#isWorking = false;
    this.#tellEmpty();
  }

  #tellEmpty(): void {
    if (this.#queue.size > 0) return;
    for (const tell of this.#emptied.splice(0)) tell();
  }

  /** Null when the batch is done with, or to be sent in parts; else in how many milliseconds the server wants another try at
   * least. */
  async #try(batch: Batch): Promise<number | null> {
    this.#current = batch;
    const bytes = batch.reduce((sum, each) => sum + each.bytes + 1, 0);
    try {
      await this.#send(joined(batch), { keepalive: isInPage() && bytes <= OUTLIVING_BYTES });
    } catch (error) {
      return this.#refused(batch, error);
    } finally {
      this.#current = [];
    }
    this.#most = Math.min(2 * this.#most, MOST_ITEMS);
    this.#done(batch, true);
    return null;
  }

  #refused(batch: Batch, error: unknown): number | null {
    if (error instanceof GoldloopError) {
      const { status, code, retryAfter } = error;
      if (status === 500) this.#faults += 1;
      const isAway = status === null || status >= 500 || status === 429;
      if (isAway && this.#faults < TRIES_AT_A_FAULT) return retryAfter ?? 0;
      if (batch.length > 1 && !REFUSED_AS_A_WHOLE.includes(status ?? 0) && code !== ENDED) {
        this.#most = Math.floor(batch.length / 2); // a list is refused for any one of it
        this.#faults = 0;
        return null;
      }
    }
    this.#log(`goldloop: a submission was refused: POST ${batch[0].path}: ${String(error)}`);
    this.#done(batch, false);
    return null;
  }

  #done(batch: readonly Queued[], wasSent: boolean): void {
    this.#faults = 0;
    this.#queue.remove(batch);
    if (wasSent) this.#sent += batch.length;
    else this.#failed += batch.length;
    this.#tellEmpty();
  }

  async #leave(batch: Batch): Promise<void> {
    for (const each of batch) this.#leaving.add(each);
    try {
      await this.#send(joined(batch), { keepalive: true });
      this.#queue.remove(batch);
      this.#sent += batch.length;
      this.#tellEmpty();
    } catch {
      // it stays in the queue, and is sent in its turn if the page lives on
    }
    for (const each of batch) this.#leaving.delete(each);
    this.#hurry();
  }
}

const isInPage = (): boolean => typeof document !== "undefined";

/** When a page is hidden it may never be shown again; when a program has nothing else to do it ends. Returns how to forget it. */
function hookEnd(delivery: Delivery): () => void {
  if (isInPage()) {
    const hidden = () => {
      if (document.visibilityState === "hidden") delivery.outlive();
    };
    const gone = () => delivery.outlive();
    document.addEventListener("visibilitychange", hidden);
    addEventListener("pagehide", gone);
    return () => {
      document.removeEventListener("visibilitychange", hidden);
      removeEventListener("pagehide", gone);
    };
  }
  const program = (globalThis as { process?: Program }).process;
  if (!program?.once) return () => {};
  const ending = () => {
    if (delivery.stats.queued > 0) void delivery.close(EXIT_TIME);
  };
  program.once("beforeExit", ending);
  return () => program.off("beforeExit", ending);
}

interface Program {
  once(event: "beforeExit", listener: () => void): void;
  off(event: "beforeExit", listener: () => void): void;
}
