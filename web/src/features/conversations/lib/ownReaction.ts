/** What a click changes in a transcript before the server has answered. Pure. */
import type { Reaction, ReactionRow, Transcript } from "@/api/types";
import { isOwn, ownReaction } from "./reactions";

export interface TranscriptPages {
  pages: Transcript[];
  pageParams: unknown[];
}

interface Draft {
  id: string;
  at: string;
  conversationId: string;
  turnId: string;
  userId: string;
  reaction: Reaction;
  text: string | null;
}

/** A reaction as the server will tell it. */
export function draftReaction({ id, at, conversationId, turnId, userId, reaction, text }: Draft): ReactionRow {
  return {
    id,
    role: "artifact",
    tags: [],
    turn_id: turnId,
    text: text ?? "",
    ts: at,
    hosted_uri: null,
    state: "active",
    user_id: userId,
    user_name: null,
    source_conversation_id: null,
    source_turn_id: null,
    payload: {
      reaction: { turn_id: turnId, text, confidence: 1, ts: at, reaction, origin: "user" },
      meta: { rn: "", turn_id: turnId, track_id: null, user_type: "member", kind: "turn.log.reaction" },
      conversation_id: conversationId,
      bundle_id: null,
    },
    plain: {
      rn: "",
      conversation_id: conversationId,
      turn_id: turnId,
      reaction,
      text,
      ts: at,
      origin: "user",
      confidence: 1,
      user_type: "member",
    },
  };
}

export function findOwn(pages: TranscriptPages | undefined, turnId: string, userId: string): ReactionRow | undefined {
  const turn = pages?.pages.flatMap(({ turns }) => turns).find((each) => each.turn_id === turnId);
  return turn && ownReaction(turn, userId);
}

/** The pages with this person's reaction to a turn, or without one. */
export function withOwn(
  pages: TranscriptPages | undefined,
  turnId: string,
  userId: string,
  row: ReactionRow | undefined,
): TranscriptPages | undefined {
  if (!pages) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      turns: page.turns.map((turn) =>
        turn.turn_id === turnId
          ? { ...turn, reactions: [...turn.reactions.filter((each) => !isOwn(each, userId)), ...(row ? [row] : [])] }
          : turn,
      ),
    })),
  };
}
