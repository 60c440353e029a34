/** A response that was begun and not submitted: what was typed, and the id it will be submitted under. */
import * as v from "valibot";
import type { Dimension } from "@/api/types";
import { cleanValues } from "@/features/criteria/lib/values";
import { CONFIDENCES, SOURCE_TYPES, type SourceType, toFieldMeta } from "./evidenceDraft";
import type { ResponseDraft } from "./submission";

export interface KeptDraft {
  /** Sent again after a lost answer, it makes no second response. */
  id: string;
  draft: ResponseDraft;
}

const kept = v.object({
  id: v.pipe(v.string(), v.uuid()),
  draft: v.object({
    values: v.record(v.string(), v.unknown()),
    notes: v.string(),
    temporalValue: v.string(),
    evidence: v.record(
      v.string(),
      v.object({
        confidence: v.nullable(v.picklist(CONFIDENCES)),
        sources: v.array(
          v.object({
            id: v.string(),
            type: v.picklist(Object.keys(SOURCE_TYPES) as SourceType[]),
            reference: v.string(),
            quote: v.string(),
          }),
        ),
      }),
    ),
  }),
});

/** Whether nothing was typed that anybody would miss. */
export function isBlank({ values, notes, temporalValue, evidence }: ResponseDraft): boolean {
  const said = Object.keys(cleanValues(values)).length + Object.keys(toFieldMeta(evidence)).length;
  return said === 0 && !notes.trim() && !temporalValue.trim();
}

/** What was kept, as far as the criteria set still asks for it. */
export function parseKept(stored: unknown, dimensions: readonly Pick<Dimension, "key">[]): KeptDraft | null {
  const read = v.safeParse(kept, stored);
  if (!read.success) return null;
  const asked = new Set(dimensions.map(({ key }) => key));
  const only = <Value>(record: Record<string, Value>) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => asked.has(key)));
  const { id, draft } = read.output;
  const usable = { ...draft, values: only(draft.values), evidence: only(draft.evidence) };
  return isBlank(usable) ? null : { id, draft: usable };
}
