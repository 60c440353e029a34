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
  /** How many it stands for, one unless it says. */
  count?: number;
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

/** Of a group also those are answered that were reviewed long ago: they matter only if somebody else did so since it was read, by
 * the server's clock for both. */
export function sinceLooked(outcomes: readonly ReviewOutcome[], { read_at }: Pick<FeedbackGroup, "read_at">, userId: string): ReviewOutcome[] {
  return outcomes.filter(({ outcome, feedback }) => {
    if (outcome === "done") return true;
    const at = feedback?.reviewed_at;
    return at != null && Date.parse(at) >= Date.parse(read_at) && feedback?.reviewed_by_user_id !== userId;
  });
}

/** What a large group's answer does not show of what was done, as one line. */
export function theRest(group: Pick<FeedbackGroup, "id" | "title">, done: number, outcomes: readonly ReviewOutcome[], status: Verdict): Happened[] {
  const count = done - outcomes.filter(({ outcome }) => outcome === "done").length;
  if (count <= 0) return [];
  const what = `${plural(count, "other", "others")} of “${group.title}”`;
  return [{ id: `${group.id}-rest`, what, done: true, detail: STATUS_LOOK[status].label, count }];
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
  const count = (are: boolean) => happened.reduce((sum, each) => sum + (each.done === are ? (each.count ?? 1) : 0), 0);
  const [done, rest] = [count(true), count(false)];
  if (rest === 0) return `${done.toLocaleString("en")} ${verb}.`;
  return `${done === 0 ? "None" : done.toLocaleString("en")} ${verb}, ${rest.toLocaleString("en")} not.`;
}

/** What became of taking back so many: others may have decided since. */
export function takenBack(done: number, all: number): string {
  if (done === all) return "Taken back.";
  const why = "others have decided since";
  if (done === 0) return `Nothing was taken back: ${why}.`;
  return `${done.toLocaleString("en")} taken back, ${(all - done).toLocaleString("en")} not: ${why}.`;
}

/** How many are to be decided, said before they are. */
export function countBefore(groups: readonly FeedbackGroup[]): string {
  const pending = groups.reduce((sum, group) => sum + group.pending, 0);
  const of = groups.length === 1 ? "in this group" : `in ${plural(groups.length, "group")}`;
  return pending === 0 ? `Nothing waits ${of}.` : `${plural(pending, "item waits", "items wait")} ${of}.`;
}
