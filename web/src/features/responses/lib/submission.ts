/** A response while it is being written: what is sent of it, and what is wrong with it. */
import { type Fault, fault, faultsElsewhere, messageAt, pointer } from "@/api/faults";
import { isLongerThan } from "@/api/plain";
import type { CriteriaSet, NewEntityResponse } from "@/api/types";
import { NO_TARGETS, type Targets, checkTargets } from "@/features/criteria/lib/targets";
import { type Values, checkValues, cleanValues } from "@/features/criteria/lib/values";
import { type Evidence, checkEvidence, toFieldMeta } from "./evidenceDraft";

export interface ResponseDraft {
  values: Values;
  notes: string;
  temporalValue: string;
  evidence: Evidence;
}

export const EMPTY_DRAFT: ResponseDraft = { values: {}, notes: "", temporalValue: "", evidence: {} };

const MAX_NOTES = 10_000; // as long as a text
const MAX_TEMPORAL_VALUE = 200;

export function toSubmission(draft: ResponseDraft, set: CriteriaSet): NewEntityResponse {
  const { values, notes, temporalValue, evidence } = draft;
  const meta = toFieldMeta(evidence);
  return {
    criteria_set_id: set.id,
    values: cleanValues(values),
    ...(notes.trim() ? { notes: notes.trim() } : {}),
    ...(set.kind === "temporal" ? { temporal_value: temporalValue.trim() } : {}),
    ...(Object.keys(meta).length > 0 ? { field_meta: meta } : {}),
  };
}

export function checkSubmission(draft: ResponseDraft, set: CriteriaSet, targets: Targets = NO_TARGETS): Fault[] {
  const faults = [
    ...checkValues(draft.values, set.dimensions),
    ...checkTargets(draft.values, set.dimensions, targets),
    ...checkEvidence(draft.evidence),
  ];
  if (set.kind === "temporal" && !draft.temporalValue.trim()) {
    faults.push(fault("/temporal_value", "required", `Say which ${set.temporal_key} this is about`));
  } else if (isLongerThan(draft.temporalValue.trim(), MAX_TEMPORAL_VALUE)) {
    faults.push(fault("/temporal_value", "too_long", `This has at most ${MAX_TEMPORAL_VALUE} characters`));
  }
  if (isLongerThan(draft.notes.trim(), MAX_NOTES)) {
    faults.push(fault("/notes", "too_long", `This has at most ${MAX_NOTES} characters`));
  }
  return faults;
}

/** The message at each dimension that has one. */
export function valueErrors(faults: readonly Fault[], set: Pick<CriteriaSet, "dimensions">): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { key } of set.dimensions) {
    const message = messageAt(faults, pointer("values", key));
    if (message) errors[key] = message;
  }
  return errors;
}

/** What no input of the form can show. */
export function headMessage(faults: readonly Fault[], set: Pick<CriteriaSet, "dimensions">): string | null {
  const places = [
    ...set.dimensions.flatMap(({ key }) => [pointer("values", key), pointer("field_meta", key)]),
    "/temporal_value",
    "/notes",
  ];
  return faultsElsewhere(faults, places).map(({ message }) => message).join(" ") || null;
}

/** What the server answers when there was nothing to write. */
export function isNothingWritten(answer: object): answer is { submitted: false } {
  return "submitted" in answer && answer.submitted === false;
}
