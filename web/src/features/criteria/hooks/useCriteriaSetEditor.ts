import { useEffect, useReducer, useRef, useState } from "react";
import { changedParts, partsChangedByBoth } from "@/api/changedParts";
import { type Fault, faultsElsewhere } from "@/api/faults";
import { type Problem, isVersionConflict, toProblem } from "@/api/problem";
import type { CriteriaSet } from "@/api/types";
import { dropDraft, keepDraft, readDraft } from "@/ui/drafts";
import { type Definition, checkDefinition } from "../lib/definition";
import { NEW_SET, type SetDraft, definitionOf, draftOf } from "../lib/draft";
import { type EditorAction, editSet } from "../lib/editor";
import { parseKeptSet } from "../lib/keptSet";
import { useCriteriaSetActions } from "./useCriteriaSets";

interface Base {
  version: number;
  draft: SetDraft;
}

function baseOf(set: CriteriaSet | null): Base {
  return set ? { version: set.version, draft: draftOf(set) } : { version: 0, draft: NEW_SET };
}

function sameDefinition(a: SetDraft, b: SetDraft): boolean {
  return JSON.stringify(definitionOf(a)) === JSON.stringify(definitionOf(b));
}

/** What was begun under a name, or else what there is. */
function begin(draft: SetDraft, keepAs: string | undefined): SetDraft {
  return (keepAs === undefined ? null : parseKeptSet(readDraft(keepAs, "browser"))) ?? draft;
}

/** Edits a criteria set, or a new one when there is none. Follows the server until something is changed here. With
 * `keepAs` what was begun stays in this browser under that name until it is saved or discarded. */
export function useCriteriaSetEditor(
  set: CriteriaSet | null,
  onSaved: (saved: CriteriaSet) => void,
  keepAs?: string,
) {
  const [base, setBase] = useState(() => baseOf(set));
  const [draft, dispatch] = useReducer(editSet, base.draft, (draft) => begin(draft, keepAs));
  const [isKept, setKept] = useState(false);
  const [wasRefused, setRefused] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isSaved = useRef(false);
  const { create, change } = useCriteriaSetActions();
  const isDirty = !sameDefinition(draft, base.draft);
  const isStale = set !== null && set.version > base.version;
  const isBehind = isStale && isDirty && !change.isPending; // a save of one's own may be read before it is answered

  const reset = (next: Base) => {
    setBase(next);
    setProblem(null);
    setRefused(false);
    dispatch({ do: "reset", draft: next.draft });
  };
  useEffect(() => {
    if (isStale && !isDirty) reset(baseOf(set));
  });

  useEffect(() => {
    if (keepAs === undefined || isSaved.current) return;
    if (!isDirty) dropDraft(keepAs, "browser");
    setKept(isDirty && keepDraft(keepAs, draft, "browser"));
  }, [keepAs, isDirty, draft]);

  const own = wasRefused ? checkDefinition(definitionOf(draft)) : [];
  const faults: Fault[] = [...own, ...(problem?.errors ?? [])];

  return {
    draft,
    faults,
    /** What no input can show. */
    head: headOf(problem, faults, isBehind),
    isDirty,
    /** Leaving loses nothing: it is begun, and waits in this browser. */
    isKept,
    /** Somebody else saved it while it was edited here. */
    isBehind,
    began: base.version,
    both: partsChangedByBoth(definitionOf(base.draft), definitionOf(draft), definitionOf(baseOf(set).draft), PART_WORDS),
    isSaving: create.isPending || change.isPending,
    isSaved,
    edit: (action: EditorAction) => {
      setProblem(null);
      if (action.do === "add") setRefused(false); // what is new is empty, and nobody's mistake yet
      dispatch(action);
    },
    discard: () => reset(isStale ? baseOf(set) : base),
    /** Made on the version that was read, or on top of a later one. Says whether it was saved. */
    save: async (version = base.version): Promise<boolean> => {
      const definition = definitionOf(draft);
      const found = checkDefinition(definition);
      setRefused(found.length > 0);
      setProblem(null);
      if (found.length > 0) return false;
      try {
        const changes = changedParts(definitionOf(base.draft), definition);
        const saved = set
          ? await change.mutateAsync({ id: set.id, version, ...changes })
          : await create.mutateAsync(definition);
        isSaved.current = set === null;
        if (keepAs !== undefined) dropDraft(keepAs, "browser");
        if (set) reset(baseOf(saved));
        onSaved(saved);
        return true;
      } catch (error) {
        setProblem(toProblem(error));
        return false;
      }
    },
  };
}

export type CriteriaSetEditing = ReturnType<typeof useCriteriaSetEditor>;

const PART_WORDS: Record<keyof Definition, string> = {
  slug: "Slug",
  name: "Name",
  description: "Description",
  kind: "Kind",
  temporal_key: "Temporal key",
  entity_type_slugs: "Entity types",
  scope: "Relation field",
  dimensions: "Dimensions",
  display_type: "Display",
  display_config: "Display",
};

const PLACES = [
  "/slug",
  "/name",
  "/description",
  "/entity_type_slugs",
  "/temporal_key",
  "/dimensions",
  "/display_config",
  "/scope",
];

function headOf(problem: Problem | null, faults: readonly Fault[], isBehind: boolean): string | null {
  if (isBehind && isVersionConflict(problem)) return null; // said with a way on
  if (problem && problem.errors.length === 0) return problem.message;
  return faultsElsewhere(faults, PLACES).map(({ message }) => message).join(" ") || null;
}
