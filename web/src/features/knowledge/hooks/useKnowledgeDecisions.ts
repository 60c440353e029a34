import { useRef, useState } from "react";
import type { Knowledge } from "@/api/types";
import { notifyDone, notifyProblem, notifyUndoable } from "@/ui/notify";
import type { Step } from "../lib/keys";
import type { Quote } from "../lib/quotes";
import { type Approval, type KnowledgeActions, useKnowledgeActions } from "./useKnowledge";

interface WayBack {
  undo: () => Promise<unknown>;
  /** Takes the message away that offers it. */
  hide: () => void;
}

const DONE: Record<Step, string> = { approve: "Approved.", shadow: "In shadow.", dismiss: "Rejected.", retire: "Retired." };

/** What is decided about knowledge here: each with a way back. */
export function useKnowledgeDecisions() {
  const actions = useKnowledgeActions();
  const ways = useRef<WayBack[]>([]);
  const [message, say] = useState("");
  const isBusy = [actions.reviewSupport, actions.approve, actions.shadow, actions.dismiss, actions.retire, actions.change, actions.undo].some(
    ({ isPending }) => isPending,
  );

  const versions = useRef(new Map<string, number>()); // after what was last done here: what others did since is not taken back
  const undo = async ({ id, version }: Pick<Knowledge, "id" | "version">, entryId?: string) => {
    const undone = await actions.undo.mutateAsync({ id, version, entryId });
    versions.current.set(id, undone.version);
  };
  const back = ({ id, version }: Knowledge) => () => undo({ id, version: versions.current.get(id) ?? version });
  /** The feedback that counts otherwise now. */
  const review = async ({ id }: Pick<Knowledge, "id">, feedbackIds: string[], dismissed: boolean) =>
    (await actions.reviewSupport.mutateAsync({ id, feedbackIds, dismissed })).changed;

  const goBack = async (way: WayBack) => {
    ways.current = ways.current.filter((each) => each !== way);
    way.hide();
    try {
      await way.undo();
      say("Taken back.");
    } catch (error) {
      notifyProblem("This was not taken back", error);
    }
  };

  const tell = (undo: () => Promise<unknown>, what: string) => {
    say(what);
    const way: WayBack = { undo, hide: () => {} };
    way.hide = notifyUndoable(what, () => void goBack(way), "u");
    ways.current = [...ways.current, way];
  };

  return {
    isBusy,
    message,
    say,
    actions,
    /** Moves it. What the server refuses is thrown, for the form that asked. */
    move: async (row: Knowledge, step: Step, said: Omit<Approval, "id" | "version">) => {
      const moved = await mutationOf(actions, step)({ id: row.id, version: row.version, ...said });
      versions.current.set(row.id, moved.version);
      tell(back(moved), moved.state === "active" && step === "approve" && !moved.value ? "Approved, unmeasured." : DONE[step]);
      return moved;
    },
    /** Says that it was changed, and offers the way back. */
    changed: (row: Knowledge) => {
      versions.current.set(row.id, row.version);
      tell(back(row), "Saved.");
    },
    /** What somebody said counts no more, whatever was decided about it before; what rests on it is counted anew at once. */
    dismissQuote: async (row: Pick<Knowledge, "id">, quote: Quote) => {
      const ids = quote.filter(({ lost }) => lost === null).map(({ feedback_id }) => feedback_id);
      try {
        const changed = await review(row, ids, true);
        if (changed.length === 0) return notifyDone("It was dismissed before. Nothing changed.");
        tell(() => review(row, changed, false), "Dismissed. It counts no more.");
      } catch (error) {
        notifyProblem("This was not dismissed", error);
      }
    },
    restoreQuote: async (row: Pick<Knowledge, "id">, quote: Quote) => {
      const ids = quote.filter(({ lost }) => lost === "dismissed").map(({ feedback_id }) => feedback_id);
      try {
        const changed = await review(row, ids, false);
        notifyDone(changed.length === 0 ? "It was restored before. Nothing changed." : "Restored. It counts again.");
      } catch (error) {
        notifyProblem("This was not restored", error);
      }
    },
    /** The last decision about one row as its history shows it, whoever took it. */
    undoOf: async (row: Knowledge, entryId: string) => {
      try {
        await undo(row, entryId);
        notifyDone("Taken back.");
      } catch (error) {
        notifyProblem("This was not taken back", error);
      }
    },
    undoLast: () => {
      const last = ways.current.at(-1);
      if (isBusy) return say("The last decision is still being saved.");
      if (!last) return say("There is nothing to undo here. Older decisions are in the history of each.");
      void goBack(last);
    },
  };
}

export type KnowledgeDecisions = ReturnType<typeof useKnowledgeDecisions>;

function mutationOf(actions: KnowledgeActions, step: Step): (said: Approval) => Promise<Knowledge> {
  if (step === "approve") return (said) => actions.approve.mutateAsync(said);
  return ({ id, version, reason }) => actions[step].mutateAsync({ id, version, reason });
}
