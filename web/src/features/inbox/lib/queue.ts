/** The review queue: where to go next, and why something cannot be done. Pure. */
import type { EntityResponse } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { canReject } from "@/features/promotion/lib/status";
import type { QueueAct } from "./queueKeys";

/** The next that is still to be decided, from a place on and then from the top; null when all are. */
export function nextOpen(ids: readonly string[], from: string, isDone: (id: string) => boolean): string | null {
  const here = ids.indexOf(from);
  const ahead = [...ids.slice(here + 1), ...ids.slice(0, Math.max(here, 0))];
  return ahead.find((id) => !isDone(id)) ?? null;
}

/** What became of a response that does not wait any more; null while it does. */
export function outcomeText(response: EntityResponse): string | null {
  if (response.waits) return null;
  const who = partyName(response.reviewer);
  if (response.withdrawn_at !== null) return "It was withdrawn.";
  switch (response.status) {
    case "promoted":
      return `${who} promoted it.`;
    case "rejected":
      return `${who} rejected it.`;
    case "superseded":
      return "Newer values took its place in the record.";
    default:
      return "There is nothing in it that could be promoted.";
  }
}

export interface Situation {
  response: EntityResponse;
  canPromote: boolean;
  canReview: boolean;
  /** The record is there to compare with, as it is now. */
  isLoaded: boolean;
  /** A decision is on its way. */
  isBusy: boolean;
  /** How many values are to be promoted. */
  ticked: number;
  /** The value that the focus is on. */
  value: string | null;
  isLast: boolean;
  hasDecided: boolean;
}

/** Why a reviewer cannot do this now; null when they can. */
export function whyNot(act: QueueAct, at: Situation): string | null {
  if (act === "skip") return at.isLast ? "This is the last one." : null;
  if (at.isBusy) return "One moment: the last decision is being saved.";
  if (act === "undo") return at.hasDecided ? null : "Nothing was decided here yet.";
  const outcome = outcomeText(at.response);
  if (act === "assign") return at.canReview ? outcome : "Reviewers and admins can assign proposals.";
  if (act === "leaveOut") return outcome ?? (at.value === null ? "There is no value to leave out." : null);
  if (act === "reject") {
    if (!at.canReview) return "Reviewers and admins can reject proposals.";
    if (outcome) return outcome;
    return canReject(at.response) ? null : "Values of it are promoted: undo them before you reject it.";
  }
  if (!at.canPromote) return "Reviewers and admins can promote values.";
  if (outcome) return outcome;
  if (!at.isLoaded) return "One moment: the record is being loaded.";
  return act === "promote" && at.ticked === 0 ? "Every value is left out: x takes one in again." : null;
}
