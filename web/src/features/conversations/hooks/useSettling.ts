import { useState } from "react";
import type { UnsettledReaction } from "@/api/types";
import { notifyProblem, notifyUndoable } from "@/ui/notify";
import { excerpt } from "../lib/excerpts";
import { type Settlement, type Undo, useSettle, useUndoSettling } from "./useUnsettled";

/** Settling what is unclear, with a way back: from the toast any of them, by key the last one. */
export function useSettling() {
  const settle = useSettle();
  const undoing = useUndoSettling();
  const [done, setDone] = useState<readonly Undo[]>([]);
  const [said, say] = useState("");
  const [restored, setRestored] = useState<string | undefined>(undefined);

  // Awaited, each by itself: who settles the next one before this one is saved is told about both, and can undo both.
  const undo = async (settled: Undo) => {
    setDone((all) => all.filter(({ rn }) => rn !== settled.rn));
    try {
      await undoing.mutateAsync(settled);
      setRestored(settled.id);
      say("Taken back. It waits again.");
    } catch (error) {
      notifyProblem("This was not taken back", error);
    }
  };
  const decide = async (row: UnsettledReaction, turn: Settlement["turn"]) => {
    setRestored(undefined);
    try {
      const { payload } = await settle.mutateAsync({ id: row.id, turn });
      const settled = { id: row.id, rn: payload.meta.rn };
      const message = inWords(row, turn);
      setDone((all) => [...all, settled]);
      say(message);
      notifyUndoable(message, () => void undo(settled), "u");
    } catch (error) {
      notifyProblem("This was not settled", error);
    }
  };
  const undoLast = () => {
    const last = done.at(-1);
    if (settle.isPending || undoing.isPending) return say("The last one is still being saved.");
    if (!last) return say("There is nothing to undo.");
    void undo(last);
  };
  return { decide, undoLast, said, restored, canUndo: done.length > 0 };
}

function inWords({ candidates }: UnsettledReaction, turn: Settlement["turn"]): string {
  if (!turn) return "Settled: none of them was meant.";
  const meant = candidates.find((each) => each.turn_id === turn.turn_id && each.conversation_id === turn.conversation_id);
  return `Settled: “${excerpt(meant?.assistant ?? "")}” was meant.`;
}
