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

  const undo = (settled: Undo) => {
    setDone((all) => all.filter(({ rn }) => rn !== settled.rn));
    undoing.mutate(settled, {
      onSuccess: () => {
        setRestored(settled.id);
        say("Taken back. It waits again.");
      },
      onError: (error) => notifyProblem("This was not taken back", error),
    });
  };
  const decide = (row: UnsettledReaction, turn: Settlement["turn"]) => {
    setRestored(undefined);
    settle.mutate(
      { id: row.id, turn },
      {
        onSuccess: ({ payload }) => {
          const settled = { id: row.id, rn: payload.meta.rn };
          const message = inWords(row, turn);
          setDone((all) => [...all, settled]);
          say(message);
          notifyUndoable(message, () => undo(settled), "u");
        },
        onError: (error) => notifyProblem("This was not settled", error),
      },
    );
  };
  const undoLast = () => {
    const last = done.at(-1);
    if (settle.isPending || undoing.isPending) return say("The last one is still being saved.");
    if (!last) return say("There is nothing to undo.");
    undo(last);
  };
  return { decide, undoLast, said, restored, canUndo: done.length > 0 };
}

function inWords({ candidates }: UnsettledReaction, turn: Settlement["turn"]): string {
  if (!turn) return "Settled: none of them was meant.";
  const meant = candidates.find((each) => each.turn_id === turn.turn_id && each.conversation_id === turn.conversation_id);
  return `Settled: “${excerpt(meant?.assistant ?? "")}” was meant.`;
}
