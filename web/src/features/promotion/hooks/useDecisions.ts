import { useRef, useState } from "react";
import type { EntityResponse } from "@/api/types";
import { useReopen } from "@/features/responses/hooks/useResponses";
import { notifyProblem, notifyUndoable } from "@/ui/notify";
import { useUndoPromoted } from "./usePromotion";

/** What a reviewer decided: these values (keys of dimensions) were promoted, or else the response was rejected. */
export interface Decision {
  response: EntityResponse;
  promoted: readonly string[] | null;
}

/** The decisions of this visit, the last of which can be taken back, and so can any by its message. */
export function useDecisions(onUndone: (decision: Decision) => void) {
  const [made, setMade] = useState<readonly Decision[]>([]);
  const undoPromoted = useUndoPromoted();
  const reopen = useReopen();
  const messages = useRef(new Map<Decision, () => void>());
  const undo = (decision: Decision) => {
    const { response, promoted } = decision;
    messages.current.get(decision)?.(); // it offers what is being done
    messages.current.delete(decision);
    const at = { entityId: response.entity_id, responseId: response.id };
    const undoing: Promise<unknown> = promoted
      ? undoPromoted.mutateAsync({ ...at, fields: promoted })
      : reopen.mutateAsync(at);
    void undoing.then(
      () => {
        setMade((before) => before.filter((each) => each !== decision));
        onUndone(decision);
      },
      (error: unknown) => notifyProblem("This was not undone", error),
    );
  };
  return {
    made,
    last: made[made.length - 1],
    /** Says what was decided, with a way back. */
    add: (decision: Decision, message: string) => {
      setMade((before) => [...before, decision]);
      messages.current.set(decision, notifyUndoable(message, () => undo(decision), "u"));
    },
    undo,
    isBusy: undoPromoted.isPending || reopen.isPending,
  };
}
