import { useEffect, useReducer, useState } from "react";
import { changedParts, partsChangedByBoth } from "@/api/changedParts";
import { type Fault, faultsElsewhere } from "@/api/faults";
import { type Problem, isVersionConflict, toProblem } from "@/api/problem";
import type { EntityType } from "@/api/types";
import { readBreaks } from "../lib/breaks";
import { isObject } from "../lib/fieldDraft";
import {
  type TypeAction,
  type TypeDraft,
  type TypeJson,
  checkFields,
  draftOfType,
  editType,
  placeAtFields,
  writeFields,
} from "../lib/typeDraft";
import { useEntityTypeActions } from "./useEntityTypes";

interface Base {
  version: number;
  draft: TypeDraft;
}

function baseOf(type: EntityType): Base {
  return { version: type.version, draft: draftOfType(type) };
}

function same(a: TypeDraft, b: TypeDraft): boolean {
  const written = (draft: TypeDraft) => JSON.stringify([draft.name, draft.featured, writeFields(draft)]);
  return written(a) === written(b);
}

/** Schema and configs are one part, for they name the same fields. */
function partsOf(draft: TypeDraft) {
  return { name: draft.name.trim(), fields: writeFields(draft) as TypeJson | null, featured: draft.featured };
}

const PART_WORDS = { name: "Name", fields: "Fields", featured: "Featured score" };

/** What is sent of a draft: only what was changed. */
function changesOf(type: EntityType, base: TypeDraft, draft: TypeDraft) {
  const { featured, fields, ...name } = changedParts(partsOf(base), partsOf(draft));
  const before = isObject(type.config.featuredScore) ? type.config.featuredScore : {};
  const config = { ...type.config, featuredScore: { ...before, criteriaSetId: featured } };
  return { ...name, ...fields, ...(featured === undefined ? {} : { config }) };
}

/** Edits an entity type. Follows the server until something is changed here. */
export function useEntityTypeEditor(type: EntityType, onSaved: (saved: EntityType) => void) {
  const [base, setBase] = useState(() => baseOf(type));
  const [draft, dispatch] = useReducer(editType, base.draft);
  const [wasRefused, setRefused] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { change } = useEntityTypeActions();
  const [isJsonValid, setJsonValid] = useState(true);
  const [drawn, setDrawn] = useState(0);
  const isDirty = !same(draft, base.draft) || !isJsonValid;
  const isStale = type.version > base.version;
  const isBehind = isStale && isDirty && !change.isPending; // a save of one's own may be read before it is answered

  const reset = (next: Base) => {
    setBase(next);
    setProblem(null);
    setRefused(false);
    setJsonValid(true);
    setDrawn((before) => before + 1);
    dispatch({ do: "reset", draft: next.draft });
  };
  useEffect(() => {
    if (isStale && !isDirty) reset(baseOf(type));
  });

  const mine = isJsonValid ? partsOf(draft) : { ...partsOf(draft), fields: null }; // half a JSON is no draft yet
  const own = wasRefused ? ownFaults(draft) : [];
  const faults: Fault[] = [...own, ...placeAtFields(problem?.errors ?? [], draft.fields)];
  const elsewhere = faultsElsewhere(faults, ["/name", "/fields"]);
  const said = elsewhere.map(({ path, message }) => `${path}: ${message}`).join(" ");

  return {
    draft,
    faults,
    /** As the server placed them, for whoever edits the JSON itself. */
    jsonFaults: problem?.errors ?? [],
    head: isBehind && isVersionConflict(problem) ? null : (problem?.errors.length === 0 && problem.message) || said || null,
    /** Records that the new schema would not fit. */
    breaks: readBreaks(problem),
    isDirty,
    /** Text that is no JSON yet is in no draft, and still somebody's work. */
    isJsonValid,
    setJsonValid,
    /** Counts how often the draft was replaced as a whole, and with it any text made from it. */
    drawn,
    isBehind,
    began: base.version,
    both: partsChangedByBoth(partsOf(base.draft), mine, partsOf(draftOfType(type)), PART_WORDS),
    isSaving: change.isPending,
    edit: (action: TypeAction) => {
      setProblem(null);
      if (action.do === "add") setRefused(false); // what is new is empty, and nobody's mistake yet
      dispatch(action);
    },
    discard: () => reset(isStale ? baseOf(type) : base),
    /** Made on the version that was read, or on top of a later one. Says whether it was saved. */
    save: async (version = base.version): Promise<boolean> => {
      if (!isJsonValid) return false;
      const found = ownFaults(draft);
      setRefused(found.length > 0);
      setProblem(null);
      if (found.length > 0) return false;
      try {
        const saved = await change.mutateAsync({
          typeSlug: type.slug,
          version,
          ...changesOf(type, base.draft, draft),
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

function ownFaults(draft: TypeDraft): Fault[] {
  const name: Fault[] = draft.name.trim() ? [] : [{ path: "/name", code: "empty", message: "This may not be empty" }];
  return [...name, ...checkFields(draft.fields)];
}
