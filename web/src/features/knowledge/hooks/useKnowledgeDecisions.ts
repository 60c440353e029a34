import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Knowledge, KnowledgeSupport } from "@/api/types";
import { useFeedbackActions } from "@/features/feedback/hooks/useFeedback";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { notifyDone, notifyProblem, notifyUndoable } from "@/ui/notify";
import type { Step } from "../lib/keys";
import { type Approval, type KnowledgeActions, TOPIC, useKnowledgeActions } from "./useKnowledge";

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
  const feedback = useFeedbackActions();
  const queryClient = useQueryClient();
  const { slug } = useTenant();
  const isBusy = [feedback.review, actions.approve, actions.shadow, actions.dismiss, actions.retire, actions.change, actions.undo].some(
    ({ isPending }) => isPending,
  );

  const back = ({ id }: Pick<Knowledge, "id">) => () => actions.undo.mutateAsync(id);
  const decide = async (id: string, status: "pending" | "dismissed") => {
    const [outcome] = await feedback.review.mutateAsync({ ids: [id], status, notes: "" });
    await queryClient.invalidateQueries({ queryKey: [TOPIC, slug] });
    if (outcome?.outcome === "absent") throw new Error("This feedback is not there any more.");
  };

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
    move: async (row: Knowledge, step: Step, said: Omit<Approval, "id">) => {
      const moved = await mutationOf(actions, step)({ id: row.id, ...said });
      tell(back(row), moved.state === "active" && step === "approve" && !moved.value ? "Approved, unmeasured." : DONE[step]);
      return moved;
    },
    /** Says that it was changed, and offers the way back. */
    changed: (row: Knowledge) => tell(back(row), "Saved."),
    /** Feedback that it rests on counts no more, whatever was decided about it before; it is counted anew at once. */
    dismissSupport: async ({ feedback_id, status }: Pick<KnowledgeSupport, "feedback_id" | "status">) => {
      try {
        if (status !== "pending") await decide(feedback_id, "pending");
        await decide(feedback_id, "dismissed");
        tell(() => decide(feedback_id, "pending"), "Dismissed. It counts no more.");
      } catch (error) {
        notifyProblem("This was not dismissed", error);
      }
    },
    restoreSupport: async ({ feedback_id }: Pick<KnowledgeSupport, "feedback_id">) => {
      try {
        await decide(feedback_id, "pending");
        notifyDone("Restored. It counts again.");
      } catch (error) {
        notifyProblem("This was not restored", error);
      }
    },
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
