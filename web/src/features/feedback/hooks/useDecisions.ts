import { useRef, useState } from "react";
import { toProblem } from "@/api/problem";
import type { DismissReason, Feedback, FeedbackGroup } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { notifyProblem, notifyUndoable } from "@/ui/notify";
import { wordsOf } from "../lib/context";
import { type Happened, happenedOf, sinceLooked, summarize, takenBack, theRest, whoWasFirst } from "../lib/outcomes";
import { STATUS_LOOK, type Verdict } from "../lib/words";
import { useFeedbackActions } from "./useFeedback";
import { useGroupActions } from "./useGroups";

interface WayBack {
  /** Says what became of it. */
  undo: () => Promise<string>;
  /** Takes the message away that offers it. */
  hide: () => void;
}

/** Everything that is decided about feedback and its groups: what became of each, and the way back. */
export function useDecisions() {
  const groups = useGroupActions();
  const { userId } = useTenant();
  const { review } = useFeedbackActions();
  const ways = useRef<WayBack[]>([]);
  const [happened, setHappened] = useState<readonly Happened[]>([]);
  const [said, say] = useState("");
  const [isShown, show] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const goBack = async (way: WayBack) => {
    ways.current = ways.current.filter((each) => each !== way);
    way.hide();
    setBusy(true);
    try {
      const words = await way.undo();
      setHappened([]);
      say(words);
    } catch (error) {
      notifyProblem("This was not taken back", error);
    } finally {
      setBusy(false);
    }
  };

  /** Tells what happened; where something was not done, for each of them. */
  const tell = (lines: readonly Happened[], verb: string, undo: (() => Promise<string>) | null) => {
    const message = summarize(lines, verb);
    setHappened(lines);
    say(message);
    if (undo) {
      const way: WayBack = { undo, hide: () => {} };
      way.hide = notifyUndoable(message, () => void goBack(way), "u");
      ways.current = [...ways.current, way];
    }
    if (lines.some(({ done }) => !done)) show(true);
  };

  /** Decisions, the last first; what others have decided since stays. */
  const undoAll = (decisions: readonly string[]) => async () => {
    let done = 0;
    for (const id of [...decisions].reverse()) {
      try {
        await groups.undo.mutateAsync(id);
        done += 1;
      } catch (error) {
        if (toProblem(error).code !== "feedback_decision_overtaken") throw error;
      }
    }
    return takenBack(done, decisions.length);
  };

  /** The same for each group, one after the other; whoever was first with one is named. */
  const each = async (rows: readonly FeedbackGroup[], verb: string, decide: (group: FeedbackGroup) => Promise<{ id: string; decision_id?: string | null }>) => {
    setBusy(true);
    const lines: Happened[] = [];
    const decided: string[] = [];
    for (const group of rows) {
      try {
        const { decision_id } = await decide(group);
        lines.push({ id: group.id, what: group.title, done: true, detail: verb });
        if (decision_id) decided.push(decision_id);
      } catch (error) {
        lines.push(refused({ id: group.id, what: group.title }, error));
      }
    }
    setBusy(false);
    tell(lines, `${lines.length === 1 ? "group" : "groups"} ${verb}`, decided.length > 0 ? undoAll(decided) : null);
  };

  const takeBack = (ids: readonly string[]) => async () => {
    const outcomes = await review.mutateAsync({ ids, status: "pending", notes: "" });
    return takenBack(outcomes.filter(({ outcome }) => outcome === "done").length, ids.length);
  };

  const reviewMany = async (rows: readonly Feedback[], status: Verdict, notes: string) => {
    const outcomes = await review.mutateAsync({ ids: rows.map(({ id }) => id), status, notes });
    const ids = outcomes.filter(({ outcome }) => outcome === "done").map(({ id }) => id);
    const nameOf = (id: string) => wordsOf(rows.find((row) => row.id === id) ?? { comment: null, context: {}, source_type: "chat" });
    tell(happenedOf(outcomes, status, nameOf), STATUS_LOOK[status].label.toLowerCase(), ids.length > 0 ? takeBack(ids) : null);
  };

  const reviewGroups = async (rows: readonly FeedbackGroup[], status: Verdict, notes: string) => {
    const lines: Happened[] = [];
    const decided: string[] = [];
    for (const group of rows) {
      try {
        const { data, done, decision_id } = await groups.review.mutateAsync({ id: group.id, status, notes });
        lines.push(...happenedOf(sinceLooked(data, group, userId), status, () => "Without words"), ...theRest(group, done, data, status));
        if (decision_id) decided.push(decision_id);
      } catch (error) {
        lines.push(refused({ id: group.id, what: group.title }, error));
      }
    }
    tell(lines, STATUS_LOOK[status].label.toLowerCase(), decided.length > 0 ? undoAll(decided) : null);
  };

  /** One act on several members at once, which is refused as a whole. */
  const together = async (rows: readonly Feedback[], verb: string, act: () => Promise<{ decision_id: string | null }>) => {
    setBusy(true);
    try {
      const { decision_id } = await act();
      const undo = decision_id ? undoAll([decision_id]) : null;
      tell(rows.map((row) => ({ id: row.id, what: wordsOf(row), done: true, detail: verb })), verb, undo);
    } catch (error) {
      tell(rows.map((row) => refused({ id: row.id, what: wordsOf(row) }, error)), verb, null);
    } finally {
      setBusy(false);
    }
  };

  return {
    reviewMany,
    reviewGroups,
    dismiss: (rows: readonly FeedbackGroup[], reason: DismissReason, note: string) =>
      each(rows, "dismissed", ({ id }) => groups.dismiss.mutateAsync({ id, reason, note })),
    snooze: (rows: readonly FeedbackGroup[]) => each(rows, "snoozed until 2 more come", ({ id }) => groups.snooze.mutateAsync(id)),
    reopen: (rows: readonly FeedbackGroup[]) => each(rows, "reopened", ({ id }) => groups.reopen.mutateAsync(id)),
    merge: (rows: readonly FeedbackGroup[], into: FeedbackGroup) =>
      each(
        rows.filter(({ id }) => id !== into.id),
        `merged into ${into.title}`,
        ({ id }) => groups.merge.mutateAsync({ id, into: into.id }),
      ),
    split: (group: FeedbackGroup, rows: readonly Feedback[]) =>
      together(rows, "split off", () => groups.split.mutateAsync({ id: group.id, ids: rows.map(({ id }) => id) })),
    /** Into a group, wherever they were. */
    move: (rows: readonly Feedback[], into: FeedbackGroup) =>
      together(rows, `moved to ${into.title}`, () => groups.add.mutateAsync({ id: into.id, ids: rows.map(({ id }) => id) })),
    undoLast: () => {
      const last = ways.current.at(-1);
      if (isBusy || review.isPending || groups.review.isPending) return say("The last decision is still being saved.");
      if (!last) return say("There is nothing to undo.");
      void goBack(last);
    },
    say,
    said,
    happened,
    isShown,
    show,
    isBusy: isBusy || review.isPending || groups.review.isPending,
  };
}

export type Decisions = ReturnType<typeof useDecisions>;

/** What was not done, and by whom it was done before where that is why. */
function refused(what: Pick<Happened, "id" | "what">, error: unknown): Happened {
  const problem = toProblem(error);
  return { ...what, done: false, detail: whoWasFirst(problem) ?? problem.message };
}
