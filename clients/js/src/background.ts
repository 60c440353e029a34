/** Submissions in the background, which neither delay nor break the caller's own work.
 *
 * `submit`, `addTurn` and `react` put a response, a turn or a reaction into a bounded queue and return. What is dropped or
 * refused is counted and logged, never thrown.
 */
import { addressPart as part } from "./addresses.js";
import { Delivery } from "./delivery.js";
import { newId } from "./ids.js";
import { encodeObject } from "./jsonValues.js";
import type { NewEntityResponse, NewReaction, NewTurn } from "./types.gen.js";

/** A turn as the API takes it; what was said may be plain text. */
export type QueuedTurn = Omit<NewTurn, "user" | "assistant" | "ts"> & {
  user?: string | NewTurn["user"];
  assistant?: string | NewTurn["assistant"];
  ts?: string | Date | null;
};

export type QueuedReaction = Omit<NewReaction, "reaction" | "ts"> & { ts?: string | Date | null };

const said = (words: unknown): unknown => (typeof words === "string" ? { text: words } : words);

/** What was thrown may itself throw when it is looked at. */
function describedBriefly(error: unknown): string {
  try {
    return String(error);
  } catch {
    return typeof error;
  }
}

export class Background extends Delivery {
  /** Queues a response, as `responses.submit` takes it, and returns its id; null if it could not be. */
  submit(entityId: string, response: NewEntityResponse): string | null {
    return this.quietly(null, () => {
      const id = response.id ?? newId();
      const path = `/api/entities/${part(entityId)}/responses`;
      return this.queue(path, JSON.stringify({ ...response, id })) ? id : null;
    });
  }

  /** Queues a turn; false if it could not be. Its time is now, however late it arrives. What the user says is read for
   * reactions unless `gate` is false. */
  addTurn(project: string, conversationId: string, turn: QueuedTurn, { gate }: { gate?: boolean } = {}): boolean {
    return this.quietly(false, () => {
      const body = { ...turn, user: said(turn.user), assistant: said(turn.assistant), ts: turn.ts ?? new Date() };
      const path = `/conversations/@/${part(project)}/${part(conversationId)}/turns`;
      return this.queue(path, JSON.stringify(body), String(turn.turn_id), gate === undefined ? {} : { gate });
    });
  }

  /** Queues a reaction, as `conversations.react` takes it; false if it could not be. Its time is now. */
  react(
    project: string,
    conversationId: string,
    turnId: string,
    reaction: NewReaction["reaction"],
    more: QueuedReaction = {},
  ): boolean {
    return this.quietly(false, () => {
      const path = `/conversations/@/${part(project)}/${part(conversationId)}/turns/${part(turnId)}/feedback`;
      return this.queue(path, JSON.stringify({ ...more, reaction, ts: more.ts ?? new Date() }));
    });
  }

  /** Queues an event of a session that is recorded. */
  addEvent(sessionId: string, event: { id: string; type: string; at: string }, payload: object): boolean {
    const text = `${JSON.stringify(event).slice(0, -1)},"payload":${encodeObject(payload)}}`;
    return this.queue(`/api/sessions/${part(sessionId)}/events`, text, event.id);
  }

  queue(path: string, text: string, itemId: string | null = null, query: Record<string, unknown> = {}): boolean {
    return this.put({ method: "POST", path, query, safe: true }, text, itemId);
  }

  /** The promise of everything that records: whatever it is given, nothing of it reaches the caller's own work. */
  quietly<Result>(otherwise: Result, run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      this.countFailure(`a submission could not be queued: ${describedBriefly(error)}`);
      return otherwise;
    }
  }
}
