/** What reactions are called, whose they are, and why a machine read one. Pure. */
import * as v from "valibot";
import type { Reaction, ReactionOrigin, ReactionRow, TranscriptTurn, UserType } from "@/api/types";

export const REACTIONS = ["ok", "neutral", "not_ok"] as const satisfies readonly Reaction[];
export const ORIGINS = ["user", "machine"] as const satisfies readonly ReactionOrigin[];
export const USER_TYPES = ["end_user", "member"] as const satisfies readonly UserType[];
export const USER_TYPE_LABEL: Record<UserType, string> = { end_user: "Of end users", member: "Of members" };

export const REACTION_LOOK: Record<Reaction, { label: string; color: "green" | "gray" | "red" }> = {
  ok: { label: "OK", color: "green" },
  neutral: { label: "Neutral", color: "gray" },
  not_ok: { label: "Not OK", color: "red" },
};
export const ORIGIN_LABEL: Record<ReactionOrigin, string> = { user: "People", machine: "Machine" };

const Gate = v.object({
  evidence: v.fallback(v.string(), ""),
  detector: v.fallback(v.string(), ""),
  decision: v.fallback(v.string(), ""),
  settled_by: v.fallback(v.optional(v.string()), undefined),
  message: v.fallback(v.nullable(v.object({ conversation_id: v.string(), turn_id: v.string() })), null),
  candidates: v.fallback(
    v.array(
      v.object({
        turn_id: v.string(),
        conversation_id: v.string(),
        similarity: v.number(),
        recency: v.number(),
        score: v.number(),
      }),
    ),
    [],
  ),
});
export type Gate = v.InferOutput<typeof Gate>;

const WHY_THIS_TURN: Record<string, string> = {
  only: "It is the only turn before the message.",
  named: "The message names something that only this turn has.",
  clear: "This turn is clearly the most alike.",
  last: "Nothing is similar, so the last turn is meant.",
};

/** Why a machine chose the turn that it did. */
export function whyThisTurn({ decision, settled_by }: Gate): string {
  if (settled_by) return "A person said which turn is meant.";
  return WHY_THIS_TURN[decision] ?? "";
}

/** Null for a reaction that no machine read. */
export function gateOf({ payload }: ReactionRow): Gate | null {
  const parsed = v.safeParse(Gate, payload.gate);
  return payload.reaction.origin === "machine" && parsed.success ? parsed.output : null;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`;
}

// From the confidence on with which a machine's verdict is kept (0.70) to where it is hardly ever wrong.
const SURENESS = [
  [0.95, "Almost certain"],
  [0.85, "Quite sure"],
  [0.7, "Fairly sure"],
] as const;

/** How sure a machine is, in words; it is never said to be certain. */
export function sureness(confidence: number): string {
  return SURENESS.find(([from]) => confidence >= from)?.[1] ?? "Not sure";
}

/** The figure behind the words. */
export function confidenceFigure(confidence: number): string {
  return confidence >= 0.995 ? "over 99\u00a0%" : percent(confidence);
}

const ALIKE = [
  [0.6, "Very alike"],
  [0.4, "Alike"],
  [0.25, "A little alike"], // the server's floor: below it no turn is meant by its content
] as const;

/** How much an answer has in common with the message, in words. */
export function likeness(similarity: number): string {
  return ALIKE.find(([from]) => similarity >= from)?.[1] ?? "Hardly alike";
}

/** A member's own reaction, not that of an end user whom a chat gave the same id. */
export function isOwn(row: ReactionRow, userId: string): boolean {
  return isMember(row) && row.user_id === userId;
}

export function ownReaction(turn: TranscriptTurn, userId: string): ReactionRow | undefined {
  return turn.reactions.find((row) => isOwn(row, userId));
}

/** Somebody of the workspace reacted, not an end user of a chat. */
export function isMember({ payload }: ReactionRow): boolean {
  return payload.meta.user_type === "member";
}

/** Whose a reaction is, in words: members by name, end users as the chat's server calls them. */
export function nameOf(row: ReactionRow): string {
  if (isMember(row)) return row.user_name ?? "Somebody of the workspace";
  return row.user_id ?? "The end user";
}

/** What the messages of these turns were read as, by the turn of the message. */
export function readFrom(turns: readonly TranscriptTurn[], conversationId: string): Map<string, ReactionRow[]> {
  const found = new Map<string, ReactionRow[]>();
  for (const row of turns.flatMap(({ reactions }) => reactions)) {
    if (row.source_turn_id === null || (row.source_conversation_id ?? conversationId) !== conversationId) continue;
    found.set(row.source_turn_id, [...(found.get(row.source_turn_id) ?? []), row]);
  }
  return found;
}
