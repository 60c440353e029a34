/** Reacting to a turn with a feedback token: all that a page without a key can do. */
import { addressPart } from "./addresses.js";
import { GoldloopError } from "./errors.js";
import type { RetryPolicy } from "./retries.js";
import { Transport } from "./transport.js";
import type { NewReaction, ReactionResult } from "./types.gen.js";

const PREFIX = "glf_";
const RETRY: Partial<RetryPolicy> = { attempts: 3, budget: 8000 }; // somebody looks at it

/** The turn that a token is for, and until when. */
export interface FeedbackGrant {
  workspace: string;
  project: string;
  conversationId: string;
  turnId: string;
  expiresAt: Date;
}

export interface Feedback {
  /** Where Goldloop is. */
  server: string;
  token: string;
  /** `null` clears. */
  reaction: NewReaction["reaction"];
  text?: string | null;
  signal?: AbortSignal;
}

/** What a token says about itself. Whether it is valid, the server knows. */
export function readFeedbackToken(token: string): FeedbackGrant {
  try {
    if (!token.startsWith(PREFIX)) throw new TypeError("not a feedback token");
    const [body = ""] = token.slice(PREFIX.length).split(".");
    const bytes = Uint8Array.from(atob(body.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
    const grant = JSON.parse(new TextDecoder().decode(bytes)) as unknown[];
    const [, workspace, project, conversationId, turnId, , expires] = grant as [string, string, string, string, string, string, number];
    return { workspace, project, conversationId, turnId, expiresAt: new Date(expires * 1000) };
  } catch (error) {
    throw new GoldloopError({ code: "unauthenticated", detail: "This is not a feedback token" }, { cause: error });
  }
}

/** Says what the holder of a token thinks of its turn; said again it replaces what was said. */
export async function giveFeedback({ server, token, reaction, text, signal }: Feedback): Promise<ReactionResult> {
  const { workspace, project, conversationId, turnId } = readFeedbackToken(token);
  const [where, conversation, turn] = [project, conversationId, turnId].map(addressPart);
  const transport = new Transport({ url: server, key: token, retry: RETRY });
  const path = `/conversations/${workspace}/${where}/${conversation}/turns/${turn}/feedback`;
  const body = { reaction, ...(text ? { text } : {}) };
  return (await transport.send({ method: "POST", path, body, safe: true }, { signal })) as ReactionResult;
}
