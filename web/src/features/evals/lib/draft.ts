/** A golden as a form has it, and what is sent of it. Pure. */
import type { Golden, GoldenChange, NewGolden } from "@/api/types";
import type { EffectsRule } from "./words";

export interface GoldenDraft {
  set: string;
  note: string;
  criteriaSetId: string;
  effects: EffectsRule;
  facts: string[];
  /** Of 100; "" is none. */
  minPass: number | "";
  floor: boolean;
  [key: string]: unknown;
}

export const DEFAULT_SET = "default";

export function draftOf(golden: Golden | null, set = DEFAULT_SET): GoldenDraft {
  return {
    set: golden?.set ?? set,
    note: golden?.note ?? "",
    criteriaSetId: golden?.criteriaSetId ?? "",
    effects: golden?.effects ?? "exact",
    facts: golden?.facts ?? [],
    minPass: golden?.minPass == null ? "" : Math.round(golden.minPass * 100),
    floor: true,
  };
}

function contentOf(draft: GoldenDraft) {
  return {
    set: draft.set.trim(),
    note: draft.note.trim(),
    criteriaSetId: draft.criteriaSetId || null,
    effects: draft.effects,
    facts: draft.facts,
    minPass: draft.minPass === "" ? null : draft.minPass / 100,
  };
}

export function newGoldenOf(sessionId: string, draft: GoldenDraft): NewGolden {
  return { sessionId, ...contentOf(draft), floor: draft.floor };
}

/** Only what is otherwise now. */
export function changesOf(golden: Golden, draft: GoldenDraft): GoldenChange {
  const wanted = contentOf(draft);
  const keys = Object.keys(wanted) as (keyof typeof wanted)[];
  return Object.fromEntries(keys.filter((key) => JSON.stringify(wanted[key]) !== JSON.stringify(golden[key])).map((key) => [key, wanted[key]]));
}
