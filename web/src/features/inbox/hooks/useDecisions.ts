import { useState } from "react";
import type { EntityResponse } from "@/api/types";
import { type Promoted, useUndoPromoted } from "@/features/promotion/hooks/usePromotion";
import { notifyProblem } from "@/ui/notify";
import { useReopen } from "./useWaiting";

/** What was decided in the queue: values were promoted, or else the response was rejected. */
export interface Decision {
  response: EntityResponse;
  promoted: Promoted | null;
}

/** The decisions of this visit, the last of which can be taken back, and so can any by its message. */
export function useDecisions(onUndone: (decision: Decision) => void) {
  const [made, setMade] = useState<readonly Decision[]>([]);
  const undoPromoted = useUndoPromoted();
  const reopen = useReopen();
  const undo = (decision: Decision) => {
    const { response, promoted } = decision;
    const undoing: Promise<unknown> = promoted
      ? undoPromoted.mutateAsync(promoted)
      : reopen.mutateAsync({ entityId: response.entity_id, responseId: response.id });
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
    add: (decision: Decision) => setMade((before) => [...before, decision]),
    undo,
    isBusy: undoPromoted.isPending || reopen.isPending,
  };
}
