/** An unfinished matrix is kept in this browser, never as a response. */
import * as v from "valibot";
import type { CriteriaSet, Dimension } from "@/api/types";
import { dropDraft, keepDraft, readDraft } from "@/ui/drafts";
import { type MatrixDraft, isUntouched, onlyAsked } from "./edgeMatrix";

export interface KeptMatrix {
  /** Sent again after a lost answer, it makes no second response. */
  id: string;
  keptAt: string;
  draft: MatrixDraft;
}

const Kept = v.object({
  id: v.pipe(v.string(), v.uuid()),
  keptAt: v.string(),
  draft: v.object({
    values: v.record(v.string(), v.record(v.string(), v.unknown())),
    notes: v.string(),
    temporalValue: v.string(),
  }),
});

/** What a draft is about. It outlives changes of the set. */
export function matrixDraftOf(entityId: string, set: Pick<CriteriaSet, "id">): string[] {
  return ["matrix", entityId, set.id];
}

/** What was kept, as far as the set still asks for it. Null when there is none, when it cannot be read, or when the
 * browser keeps nothing. */
export function readMatrixDraft(name: string, dimensions: readonly Pick<Dimension, "key">[]): KeptMatrix | null {
  const parsed = v.safeParse(Kept, readDraft(name, "browser"));
  if (!parsed.success) return null;
  const draft = onlyAsked(parsed.output.draft, dimensions);
  return isUntouched(draft) ? null : { ...parsed.output, draft };
}

/** False when the browser cannot keep it. A draft with nothing in it is none. */
export function keepMatrixDraft(name: string, kept: KeptMatrix): boolean {
  if (!isUntouched(kept.draft)) return keepDraft(name, kept, "browser");
  dropDraft(name, "browser");
  return true;
}

export function dropMatrixDraft(name: string): void {
  dropDraft(name, "browser");
}
