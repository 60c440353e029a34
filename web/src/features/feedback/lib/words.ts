/** What the sources, ratings and statuses of feedback are called, and the kinds and states of its groups. */
import type {
  DismissReason,
  Feedback,
  FeedbackGroup,
  FeedbackGroupKind,
  FeedbackGroupState,
  FeedbackRating,
  FeedbackSource,
  FeedbackStatus,
} from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";

export const SOURCES = ["chat", "response", "extraction", "tool", "session", "observation"] as const satisfies readonly FeedbackSource[];
export const SOURCE_LABEL: Record<FeedbackSource, string> = {
  chat: "Reaction",
  response: "Rejected response",
  extraction: "Rejected value",
  tool: "Tool",
  session: "Failed session",
  observation: "Flag",
};

export const RATINGS = ["negative", "neutral", "positive"] as const satisfies readonly FeedbackRating[];
export const RATING_LOOK: Record<FeedbackRating, { label: string; color: "green" | "gray" | "red" }> = {
  negative: { label: "Negative", color: "red" },
  neutral: { label: "Neutral", color: "gray" },
  positive: { label: "Positive", color: "green" },
};

export const STATUSES = ["pending", "reviewed", "applied", "dismissed"] as const satisfies readonly FeedbackStatus[];
export type Verdict = Exclude<FeedbackStatus, "pending">;
export const VERDICTS = ["reviewed", "applied", "dismissed"] as const satisfies readonly Verdict[];
export const STATUS_LOOK: Record<FeedbackStatus, { label: string; color: string; means: string; act: string }> = {
  pending: { label: "Waiting", color: "blue", means: "Nobody has reviewed it", act: "Undo" },
  reviewed: { label: "Reviewed", color: "green", means: "Read and understood", act: "Mark as reviewed" },
  applied: { label: "Applied", color: "green", means: "Something was changed because of it", act: "Mark as applied" },
  dismissed: { label: "Dismissed", color: "gray", means: "Nothing is to be done", act: "Dismiss" },
};

export const KINDS = ["field", "tool", "golden", "reason", "wording"] as const satisfies readonly FeedbackGroupKind[];
export const KIND_LABEL: Record<FeedbackGroupKind, string> = {
  field: "By field",
  tool: "By tool",
  golden: "By golden",
  reason: "By reason of failure",
  wording: "By wording",
};
export const KIND_MEANS: Record<FeedbackGroupKind, string> = {
  field: "The same field was rejected, whatever the words",
  tool: "They are about the same tool",
  golden: "They are about the same golden",
  reason: "They failed for the same reason",
  wording: "They say the same in other words",
};

export const STATES = ["open", "snoozed", "dismissed", "merged"] as const satisfies readonly FeedbackGroupState[];
export const STATE_LABEL: Record<FeedbackGroupState, string> = {
  open: "Open",
  snoozed: "Snoozed",
  dismissed: "Dismissed",
  merged: "Merged",
};

/** In the order of the digits that choose them. */
export const REASONS = [
  "noise",
  "already_covered",
  "user_error",
  "one_off",
  "cannot_fix_by_prompt",
  "duplicate",
] as const satisfies readonly DismissReason[];
export const REASON_LABEL: Record<DismissReason, string> = {
  noise: "Noise",
  already_covered: "Already covered",
  user_error: "User error",
  one_off: "One-off",
  cannot_fix_by_prompt: "Cannot be fixed by a prompt",
  duplicate: "Duplicate",
};

/** Whose feedback it is: an end user by the name that the program uses. */
export function authorOf({ author, end_user }: Pick<Feedback, "author" | "end_user">): string {
  return end_user ?? partyName(author);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** "4 waiting" where all wait, else "3 of 12 waiting". */
export function waitingOf({ members, pending }: Pick<FeedbackGroup, "members" | "pending">): string {
  if (pending === 0) return `${members.toLocaleString("en")} reviewed`;
  return pending === members ? `${pending.toLocaleString("en")} waiting` : `${pending.toLocaleString("en")} of ${members.toLocaleString("en")} waiting`;
}

/** What was decided of a group, as a sentence; null while it is open and never was decided. */
export function decisionOf(group: FeedbackGroup): string | null {
  const { state, reason, note, decided_by, returned } = group;
  const why = [reason && REASON_LABEL[reason].toLowerCase(), note].filter(Boolean).join(": ");
  const because = why ? ` (${why})` : "";
  if (returned) return `It came back: more of it came after ${partyName(decided_by)} had put it aside${because}.`;
  if (state === "open") return null;
  return `${STATE_LABEL[state]} by ${partyName(decided_by)}${because}.`;
}
