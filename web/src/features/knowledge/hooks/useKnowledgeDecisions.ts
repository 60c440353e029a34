import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Knowledge } from "@/api/types";
import { useFeedbackActions } from "@/features/feedback/hooks/useFeedback";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { notifyDone, notifyProblem, notifyUndoable } from "@/ui/notify";
import type { Step } from "../lib/keys";
import type { Quote } from "../lib/quotes";
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

  const versions = useRef(new Map<string, number>()); // after what was last done here: what others did since is not taken back
  const undo = async ({ id, version }: Pick<Knowledge, "id" | "version">) => {
    const undone = await actions.undo.mutateAsync({ id, version });
    versions.current.set(id, undone.version);
  };
  const back = ({ id, version }: Knowledge) => () => undo({ id, version: versions.current.get(id) ?? version });
  const decide = async (ids: readonly string[], status: "pending" | "dismissed") => {
    const outcomes = await feedback.review.mutateAsync({ ids, status, notes: "" });
    await queryClient.invalidateQueries({ queryKey: [TOPIC, slug] });
    if (outcomes.every(({ outcome }) => outcome === "absent")) throw new Error("This feedback is not there any more.");
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
    dismissQuote: async (quote: Quote) => {
      const counted = quote.filter(({ lost }) => lost === null);
      const ids = counted.map(({ feedback_id }) => feedback_id);
      const settled = counted.filter(({ status }) => status !== "pending").map(({ feedback_id }) => feedback_id);
      try {
        if (settled.length > 0) await decide(settled, "pending");
        await decide(ids, "dismissed");
        tell(() => decide(ids, "pending"), "Dismissed. It counts no more.");
      } catch (error) {
        notifyProblem("This was not dismissed", error);
      }
    },
    restoreQuote: async (quote: Quote) => {
      const ids = quote.filter(({ lost }) => lost === "dismissed").map(({ feedback_id }) => feedback_id);
      try {
        await decide(ids, "pending");
        notifyDone("Restored. It counts again.");
      } catch (error) {
        notifyProblem("This was not restored", error);
      }
    },
    /** The last decision about one row, whoever took it. */
    undoOf: async (row: Knowledge) => {
      try {
        await undo(row);
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
