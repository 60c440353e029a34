import { useRef, useState } from "react";
import { toProblem } from "@/api/problem";
import type { DismissReason, Feedback, FeedbackGroup } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { notifyProblem, notifyUndoable } from "@/ui/notify";
import { wordsOf } from "../lib/context";
import { type Happened, happenedOf, sinceLooked, summarize, whoWasFirst } from "../lib/outcomes";
import { STATUS_LOOK, type Verdict } from "../lib/words";
import { useFeedbackActions } from "./useFeedback";
import { useGroupActions } from "./useGroups";

interface WayBack {
  undo: () => Promise<unknown>;
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
      await way.undo();
      setHappened([]);
      say("Taken back.");
    } catch (error) {
      notifyProblem("This was not taken back", error);
    } finally {
      setBusy(false);
    }
  };

  /** Tells what happened; where something was not done, for each of them. */
  const tell = (lines: readonly Happened[], verb: string, undo: (() => Promise<unknown>) | null) => {
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

  /** The same for each group, one after the other; whoever was first with one is named. */
  const each = async (
    rows: readonly FeedbackGroup[],
    verb: string,
    decide: (group: FeedbackGroup) => Promise<unknown>,
    undo: ((group: FeedbackGroup) => Promise<unknown>) | null,
  ) => {
    setBusy(true);
    const lines: Happened[] = [];
    for (const group of rows) {
      try {
        await decide(group);
        lines.push({ id: group.id, what: group.title, done: true, detail: verb });
      } catch (error) {
        lines.push(refused({ id: group.id, what: group.title }, error));
      }
    }
    setBusy(false);
    const done = rows.filter(({ id }) => lines.some((line) => line.id === id && line.done));
    tell(lines, `${lines.length === 1 ? "group" : "groups"} ${verb}`, undo && done.length > 0 ? () => inTurn(done, undo) : null);
  };

  const takeBack = (ids: readonly string[]) => () => review.mutateAsync({ ids, status: "pending", notes: "" });

  const reviewMany = async (rows: readonly Feedback[], status: Verdict, notes: string) => {
    const outcomes = await review.mutateAsync({ ids: rows.map(({ id }) => id), status, notes });
    const ids = outcomes.filter(({ outcome }) => outcome === "done").map(({ id }) => id);
    const nameOf = (id: string) => wordsOf(rows.find((row) => row.id === id) ?? { comment: null, context: {}, source_type: "chat" });
    tell(happenedOf(outcomes, status, nameOf), STATUS_LOOK[status].label.toLowerCase(), ids.length > 0 ? takeBack(ids) : null);
  };

  const reviewGroups = async (rows: readonly FeedbackGroup[], status: Verdict, notes: string, looked: Date) => {
    const lines: Happened[] = [];
    const ids: string[] = [];
    for (const { id, title } of rows) {
      try {
        const { data } = await groups.review.mutateAsync({ id, status, notes });
        const outcomes = sinceLooked(data, looked, userId);
        lines.push(...happenedOf(outcomes, status, () => "Without words"));
        ids.push(...outcomes.filter(({ outcome }) => outcome === "done").map((each) => each.id));
      } catch (error) {
        lines.push(refused({ id, what: title }, error));
      }
    }
    tell(lines, STATUS_LOOK[status].label.toLowerCase(), ids.length > 0 ? takeBack(ids) : null);
  };

  /** One act on several members at once, which is refused as a whole. */
  const together = async (rows: readonly Feedback[], verb: string, act: () => Promise<() => Promise<unknown>>) => {
    setBusy(true);
    try {
      const undo = await act();
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
      each(rows, "dismissed", ({ id }) => groups.dismiss.mutateAsync({ id, reason, note }), ({ id }) => groups.reopen.mutateAsync(id)),
    snooze: (rows: readonly FeedbackGroup[]) =>
      each(rows, "snoozed until 2 more come", ({ id }) => groups.snooze.mutateAsync(id), ({ id }) => groups.reopen.mutateAsync(id)),
    reopen: (rows: readonly FeedbackGroup[]) => each(rows, "reopened", ({ id }) => groups.reopen.mutateAsync(id), null),
    merge: (rows: readonly FeedbackGroup[], into: FeedbackGroup) =>
      each(
        rows.filter(({ id }) => id !== into.id),
        `merged into ${into.title}`,
        ({ id }) => groups.merge.mutateAsync({ id, into: into.id }),
        ({ id }) => groups.reopen.mutateAsync(id),
      ),
    split: (group: FeedbackGroup, rows: readonly Feedback[]) =>
      together(rows, "split off", async () => {
        const ids = rows.map(({ id }) => id);
        const { rest } = await groups.split.mutateAsync({ id: group.id, ids });
        return () => groups.add.mutateAsync({ id: rest.id, ids });
      }),
    /** Into a group, wherever they were. */
    move: (rows: readonly Feedback[], into: FeedbackGroup) =>
      together(rows, `moved to ${into.title}`, async () => {
        await groups.add.mutateAsync({ id: into.id, ids: rows.map(({ id }) => id) });
        return () => moveBack(rows, into.id, groups);
      }),
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

async function inTurn(rows: readonly FeedbackGroup[], act: (group: FeedbackGroup) => Promise<unknown>): Promise<void> {
  for (const row of [...rows].reverse()) await act(row);
}

/** Each to the group that it was in; what was in none is taken out again. */
async function moveBack(rows: readonly Feedback[], into: string, { add, split }: ReturnType<typeof useGroupActions>): Promise<void> {
  const alone = rows.filter(({ group_id }) => group_id === null).map(({ id }) => id);
  const before = new Set(rows.flatMap(({ group_id }) => (group_id === null ? [] : [group_id])));
  if (alone.length > 0) await split.mutateAsync({ id: into, ids: alone });
  for (const group of before) {
    await add.mutateAsync({ id: group, ids: rows.filter(({ group_id }) => group_id === group).map(({ id }) => id) });
  }
}

/** What was not done, and by whom it was done before where that is why. */
function refused(what: Pick<Happened, "id" | "what">, error: unknown): Happened {
  const problem = toProblem(error);
  return { ...what, done: false, detail: whoWasFirst(problem) ?? problem.message };
}
