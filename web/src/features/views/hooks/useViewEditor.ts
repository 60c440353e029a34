import { useEffect, useReducer, useState } from "react";
import { changedParts, partsChangedByBoth } from "@/api/changedParts";
import { type Fault, faultsElsewhere } from "@/api/faults";
import { type Problem, isVersionConflict, toProblem } from "@/api/problem";
import type { View } from "@/api/types";
import { type ViewAction, type ViewDraft, blockOf, checkView, draftOfView, editView } from "../lib/blocks";
import { useViewActions } from "./useViews";

interface Base {
  version: number;
  draft: ViewDraft;
}

function baseOf(view: View): Base {
  return { version: view.version, draft: draftOfView(view) };
}

function same(a: ViewDraft, b: ViewDraft): boolean {
  const written = (draft: ViewDraft) => JSON.stringify([draft.name, draft.blocks.map(blockOf)]);
  return written(a) === written(b);
}

function bodyOf(draft: ViewDraft) {
  return { name: draft.name.trim(), blocks: draft.blocks.map(blockOf) };
}

const PART_WORDS = { name: "Name", blocks: "Blocks" };

/** Edits a view. Follows the server until something is changed here. */
export function useViewEditor(view: View, onSaved: (saved: View) => void) {
  const [base, setBase] = useState(() => baseOf(view));
  const [draft, dispatch] = useReducer(editView, base.draft);
  const [wasRefused, setRefused] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { change } = useViewActions();
  const isDirty = !same(draft, base.draft);
  const isStale = view.version > base.version;
  const isBehind = isStale && isDirty && !change.isPending; // a save of one's own may be read before it is answered

  const reset = (next: Base) => {
    setBase(next);
    setProblem(null);
    setRefused(false);
    dispatch({ do: "reset", draft: next.draft });
  };
  useEffect(() => {
    if (isStale && !isDirty) reset(baseOf(view));
  });

  const faults: Fault[] = [...(wasRefused ? checkView(draft) : []), ...(problem?.errors ?? [])];
  const said = faultsElsewhere(faults, ["/name", "/blocks"]).map(({ message }) => message).join(" ");

  return {
    draft,
    faults,
    head: isBehind && isVersionConflict(problem) ? null : (problem?.errors.length === 0 && problem.message) || said || null,
    isDirty,
    isBehind,
    began: base.version,
    both: partsChangedByBoth(bodyOf(base.draft), bodyOf(draft), bodyOf(draftOfView(view)), PART_WORDS),
    isSaving: change.isPending,
    edit: (action: ViewAction) => {
      setProblem(null);
      dispatch(action);
    },
    discard: () => reset(isStale ? baseOf(view) : base),
    /** Made on the version that was read, or on top of a later one. Says whether it was saved. */
    save: async (version = base.version): Promise<boolean> => {
      const found = checkView(draft);
      setRefused(found.length > 0);
      setProblem(null);
      if (found.length > 0) return false;
      try {
        const saved = await change.mutateAsync({
          id: view.id,
          version,
          ...changedParts(bodyOf(base.draft), bodyOf(draft)),
        });
        reset(baseOf(saved));
        onSaved(saved);
        return true;
      } catch (error) {
        setProblem(toProblem(error));
        return false;
      }
    },
  };
}
