/** What became of each of several when they were decided together. Pure. */
import * as v from "valibot";
import type { Problem } from "@/api/problem";
import type { FeedbackGroup, ReviewOutcome } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { REASON_LABEL, STATE_LABEL, STATUS_LOOK, type Verdict, plural } from "./words";

/** One line of what happened. */
export interface Happened {
  id: string;
  /** What it is, in its own words. */
  what: string;
  done: boolean;
  /** Why nothing was done, or what was. */
  detail: string;
}

/** Of a review: what somebody else decided before is told with who they were. */
export function happenedOf(outcomes: readonly ReviewOutcome[], status: Verdict, wordsOf: (id: string) => string): Happened[] {
  return outcomes.map(({ id, outcome, feedback }) => {
    const what = feedback?.comment ?? wordsOf(id);
    if (outcome === "done") return { id, what, done: true, detail: STATUS_LOOK[status].label };
    if (outcome === "absent" || !feedback) return { id, what, done: false, detail: "It is not there any more" };
    const note = feedback.review_notes ? `: ${feedback.review_notes}` : "";
    const said = STATUS_LOOK[feedback.status].label.toLowerCase();
    return { id, what, done: false, detail: `${partyName(feedback.reviewer)} was first, and ${said} it${note}` };
  });
}

/** Of a group also those are answered that were reviewed long ago: they matter only if somebody else did so while one looked. */
export function sinceLooked(outcomes: readonly ReviewOutcome[], looked: Date, userId: string): ReviewOutcome[] {
  return outcomes.filter(({ outcome, feedback }) => {
    if (outcome === "done") return true;
    const at = feedback?.reviewed_at;
    return at != null && Date.parse(at) >= looked.getTime() && feedback?.reviewed_by_user_id !== userId;
  });
}

const Conflict = v.object({
  state: v.fallback(v.picklist(["open", "snoozed", "dismissed", "merged"]), "open"),
  decided_by: v.fallback(v.nullable(v.object({ kind: v.picklist(["user", "agent", "system"]), id: v.nullable(v.string()), name: v.nullable(v.string()) })), null),
  reason: v.fallback(v.nullable(v.string()), null),
  note: v.fallback(v.nullable(v.string()), null),
});

/** Who decided a group first, from the answer to whoever was second; null for any other problem. */
export function whoWasFirst({ code, conflict }: Pick<Problem, "code" | "conflict">): string | null {
  if (code !== "feedback_group_decided") return null;
  const parsed = v.safeParse(Conflict, conflict);
  if (!parsed.success) return null;
  const { state, decided_by, reason, note } = parsed.output;
  const label = reason && reason in REASON_LABEL ? REASON_LABEL[reason as keyof typeof REASON_LABEL].toLowerCase() : null;
  const why = [label, note].filter(Boolean).join(": ");
  return `${partyName(decided_by)} was first, and ${state === "open" ? "reopened" : STATE_LABEL[state].toLowerCase()} it${why ? ` (${why})` : ""}`;
}

/** "12 done, 1 not." */
export function summarize(happened: readonly Happened[], verb: string): string {
  const done = happened.filter((each) => each.done).length;
  const rest = happened.length - done;
  if (rest === 0) return `${done.toLocaleString("en")} ${verb}.`;
  return `${done === 0 ? "None" : done.toLocaleString("en")} ${verb}, ${rest.toLocaleString("en")} not.`;
}

/** How many are to be decided, said before they are. */
export function countBefore(groups: readonly FeedbackGroup[]): string {
  const pending = groups.reduce((sum, group) => sum + group.pending, 0);
  const of = groups.length === 1 ? "in this group" : `in ${plural(groups.length, "group")}`;
  return pending === 0 ? `Nothing waits ${of}.` : `${plural(pending, "item waits", "items wait")} ${of}.`;
}
