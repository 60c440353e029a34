/** An unfinished matrix is kept in this browser, never as a response. */
import * as v from "valibot";
import type { CriteriaSet } from "@/api/types";
import { dropDraft, dropDrafts, keepDraft, readDraft } from "@/ui/drafts";
import { type MatrixDraft, isUntouched } from "./edgeMatrix";

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

/** What a draft is about. A changed set asks other questions: its drafts are others. */
export function matrixDraftOf(entityId: string, set: Pick<CriteriaSet, "id" | "version">): string[] {
  return ["matrix", entityId, set.id, `v${set.version}`];
}

/** Null when there is none, when it cannot be read, or when the browser keeps nothing. */
export function readMatrixDraft(name: string): KeptMatrix | null {
  const parsed = v.safeParse(Kept, readDraft(name, "browser"));
  return parsed.success && !isUntouched(parsed.output.draft) ? parsed.output : null;
}

/** False when the browser cannot keep it. A draft with nothing in it is none; those of older versions go. */
export function keepMatrixDraft(name: string, kept: KeptMatrix): boolean {
  dropDrafts(name.replace(/[^/]*$/, ""), "browser", name);
  if (!isUntouched(kept.draft)) return keepDraft(name, kept, "browser");
  dropDraft(name, "browser");
  return true;
}

export function dropMatrixDraft(name: string): void {
  dropDraft(name, "browser");
}
