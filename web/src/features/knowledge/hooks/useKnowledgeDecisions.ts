import { useRef, useState } from "react";
import type { Knowledge } from "@/api/types";
import { notifyDone, notifyProblem, notifyUndoable } from "@/ui/notify";
import type { Step } from "../lib/keys";
import { type Approval, type KnowledgeActions, useKnowledgeActions } from "./useKnowledge";

interface WayBack {
  id: string;
  /** Takes the message away that offers it. */
  hide: () => void;
}

const DONE: Record<Step, string> = { approve: "Approved.", shadow: "In shadow.", dismiss: "Rejected.", retire: "Retired." };

/** What is decided about knowledge here: each with a way back. */
export function useKnowledgeDecisions() {
  const actions = useKnowledgeActions();
  const ways = useRef<WayBack[]>([]);
  const [message, say] = useState("");
  const isBusy = [actions.approve, actions.shadow, actions.dismiss, actions.retire, actions.change, actions.undo].some(
    ({ isPending }) => isPending,
  );

  const goBack = async (way: WayBack) => {
    ways.current = ways.current.filter((each) => each !== way);
    way.hide();
    try {
      await actions.undo.mutateAsync(way.id);
      say("Taken back.");
    } catch (error) {
      notifyProblem("This was not taken back", error);
    }
  };

  const tell = (row: Pick<Knowledge, "id">, what: string) => {
    say(what);
    const way: WayBack = { id: row.id, hide: () => {} };
    way.hide = notifyUndoable(what, () => void goBack(way), "u");
    ways.current = [...ways.current, way];
  };

  return {
    isBusy,
    message,
    say,
    actions,
    /** Moves it. What the server refuses is thrown, for the form that asked. */
    move: async (row: Knowledge, step: Step, said: Omit<Approval, "id">) => {
      const moved = await mutationOf(actions, step)({ id: row.id, ...said });
      tell(row, moved.state === "active" && step === "approve" && !moved.value ? "Approved, unmeasured." : DONE[step]);
      return moved;
    },
    /** Says that it was changed, and offers the way back. */
    changed: (row: Knowledge) => tell(row, "Saved."),
    /** The last decision about one row, whoever took it. */
    undoOf: async (id: string) => {
      try {
        await actions.undo.mutateAsync(id);
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
  return ({ id, reason }) => actions[step].mutateAsync({ id, reason });
}
