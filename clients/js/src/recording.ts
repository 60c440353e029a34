/** Sessions that are recorded while they run.
 *
 * `client.session({ agent }).run(async (session) => …)` records one around a function; `begin` and `end` do it by hand. All of
 * it goes through the background queue: nothing here waits for the network, and nothing here throws.
 */
import type { Background } from "./background.js";
import { newId } from "./ids.js";
import { encodeObject } from "./jsonValues.js";
import { MOST_BYTES } from "./queue.js";
import type { NewSession, SessionStatus } from "./types.gen.js";

const LONGEST_MESSAGE = 20_000; // characters of an error that the server takes
const LONGEST_NAME = 100; // of an error's code; of an agent twice that

export type SessionBeginning = Pick<
  NewSession,
  "agent" | "input" | "type" | "entity_id" | "conversation" | "parent_session_id" | "metadata" | "id"
>;

/** Tokens and cost (in US dollars) are added up on the session: tell them with the request or with the response, once. */
export interface ModelUse {
  input_tokens?: number;
  output_tokens?: number;
  cost?: number;
  [more: string]: unknown;
}

export type EndStatus = Extract<SessionStatus, "completed" | "failed" | "cancelled">;

/** A call of a tool that was recorded; its outcome is recorded once. */
export class ToolCall {
  readonly id: string;
  readonly #tell: (outcome: object) => boolean;
  readonly #began = Date.now();
  #isDone = false;

  constructor(id: string, tell: (outcome: object) => boolean) {
    this.id = id;
    this.#tell = tell;
  }

  result(value: unknown = null, more: object = {}): boolean {
    return this.#outcome({ result: value, ...more });
  }

  error(error: unknown, more: object = {}): boolean {
    return this.#outcome({ error: described(error), ...more });
  }

  #outcome(outcome: object): boolean {
    if (this.#isDone) return false;
    this.#isDone = true;
    return this.#tell({ id: this.id, duration_ms: Date.now() - this.#began, ...outcome });
  }
}

/** A session that is being recorded. Set `output` to what came of it. */
export class Recording {
  readonly id: string;
  output: unknown = null;
  readonly #background: Background;
  readonly #begin: SessionBeginning;
  #state: "new" | "open" | "ended" = "new";
  #error: { code: string; message: string } | null = null;

  constructor(background: Background, begin: SessionBeginning = {}) {
    this.id = begin.id ?? newId();
    this.#background = background;
    this.#begin = begin;
  }

  /** Runs a function as this session: `completed` with `output`, or what it returns; `failed` with what it throws, which goes on
   * to the caller untouched; `cancelled` where it was aborted. */
  async run<Result>(work: (session: Recording) => Result | Promise<Result>): Promise<Result> {
    this.begin();
    let result: Result;
    try {
      result = await work(this);
    } catch (error) {
      if (nameOf(error) === "AbortError") this.end("cancelled");
      else {
        this.fail(wordsOf(error), nameOf(error));
        this.end();
      }
      throw error;
    }
    this.output ??= result;
    this.end();
    return result;
  }

  begin(): this {
    return this.#background.quietly(this, () => {
      if (this.#state !== "new") return this;
      this.#state = "open";
      const { agent, input, metadata, ...more } = this.#begin;
      const long = JSON.parse(shortened({ input, metadata })) as object;
      const body = { type: "agent", ...more, ...long, source: "client", id: this.id, at: new Date() };
      const named = agent ? { agent: String(agent).slice(0, 2 * LONGEST_NAME) } : {};
      this.#background.queue("/api/sessions", encodeObject({ ...body, ...named }));
      return this;
    });
  }

  userMessage(text: string, more: object = {}): boolean {
    return this.event("user.message", { text, ...more });
  }

  agentMessage(text: string, more: object = {}): boolean {
    return this.event("agent.message", { text, ...more });
  }

  modelRequest(model: string, use: ModelUse = {}): boolean {
    return this.event("model.request", { model, ...use });
  }

  modelResponse(model: string, use: ModelUse = {}): boolean {
    return this.event("model.response", { model, ...use });
  }

  /** Tell its outcome with `result` or `error` of what this returns. */
  toolCall(name: string, given: unknown = {}, { id = newId(), ...more }: { id?: string; [more: string]: unknown } = {}): ToolCall {
    this.event("tool.call", { id, name, arguments: given, ...more });
    return new ToolCall(id, (outcome) => this.event("tool.result", outcome));
  }

  /** The same function, each call of which is a tool call of this session. */
  tool<Given extends unknown[], Result>(name: string, work: (...given: Given) => Result): (...given: Given) => Result {
    return (...given) => {
      const call = this.toolCall(name, given.length === 1 ? given[0] : given);
      const settled = (error: unknown): never => {
        call.error(error);
        throw error;
      };
      let result: Result;
      try {
        result = work(...given);
      } catch (error) {
        return settled(error);
      }
      if (!(result instanceof Promise)) {
        call.result(result);
        return result;
      }
      return result.then((value: unknown) => {
        call.result(value);
        return value;
      }, settled) as Result;
    };
  }

  /** Records an event of any kind; false if it could not be queued. It happened now, however late it arrives. */
  event(type: string, payload: object = {}, { at = new Date() }: { at?: Date } = {}): boolean {
    return this.#background.quietly(false, () => {
      if (this.#state !== "open") throw new Error(`${type} is not recorded: session ${this.id} is not open`);
      return this.#background.addEvent(this.id, { id: newId(), type, at: at.toISOString() }, payload);
    });
  }

  /** A session that is a child of this one. */
  child(begin: SessionBeginning = {}): Recording {
    return new Recording(this.#background, { ...begin, parent_session_id: this.id });
  }

  /** The session ends as failed, although nothing is thrown. */
  fail(message: string, code = "failed"): void {
    this.#background.quietly(undefined, () => {
      const name = String(code).slice(0, LONGEST_NAME) || "failed";
      this.#error = { code: name, message: String(message).slice(0, LONGEST_MESSAGE) };
    });
  }

  end(status?: EndStatus): void {
    this.#background.quietly(undefined, () => {
      if (this.#state !== "open") return;
      this.#state = "ended";
      const error = status === "cancelled" || status === "completed" ? null : this.#error;
      const found = status ?? (error ? "failed" : "completed");
      const ended = JSON.parse(shortened({ output: this.output, error })) as object;
      const given = Object.entries({ status: found, ...ended }).filter(([, value]) => value !== null);
      this.#background.queue(`/api/sessions/${this.id}/end`, encodeObject(Object.fromEntries(given)));
    });
  }
}

/** No longer than leaves room for others beside them. */
const shortened = (values: object): string => encodeObject(values, MOST_BYTES / 3);

function nameOf(error: unknown): string {
  const { name } = (error ?? {}) as { name?: unknown };
  return typeof name === "string" && name ? name : typeof error;
}

function wordsOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return ""; // whatever an error of the caller does
  }
}

function described(error: unknown): string {
  if (typeof error === "string") return error;
  const words = wordsOf(error).slice(0, LONGEST_MESSAGE);
  return words ? `${nameOf(error)}: ${words}` : nameOf(error);
}
