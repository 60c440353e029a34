/** How the statuses of a response are worded and coloured, and what may be done in each. */
import type { Dimension, EntityResponse, FieldChange, ResponseStatus } from "@/api/types";
import { isEmpty } from "@/features/entities/lib/values";

export const RESPONSE_STATUS: Record<ResponseStatus, { label: string; color: string }> = {
  submitted: { label: "Submitted", color: "blue" },
  partially_promoted: { label: "Partly promoted", color: "gold" },
  promoted: { label: "Promoted", color: "green" },
  superseded: { label: "Superseded", color: "gray" },
  rejected: { label: "Rejected", color: "red" },
};

export const SOURCE_LABEL: Record<EntityResponse["source"], string> = {
  extraction: "Extraction",
  manual: "Manual",
  workshop: "Workshop",
  optimization: "Optimization",
  feedback: "Feedback",
};

/** Whether anything may still become of it: it is neither decided nor replaced nor withdrawn. */
export function isOpen({ status, withdrawn_at }: EntityResponse): boolean {
  return (status === "submitted" || status === "partially_promoted") && withdrawn_at === null;
}

const CLOSED: readonly ResponseStatus[] = ["rejected", "superseded"];

/** Keys of the dimensions that wait to be promoted, in the order of the form. */
export function promotableKeys(response: EntityResponse): string[] {
  if (CLOSED.includes(response.status) || response.withdrawn_at !== null) return [];
  return response.criteria_snapshot
    .map(({ key }) => key)
    .filter((key) => response.promotable_fields.includes(key) && !response.promoted_fields.includes(key))
    .filter((key) => !isEmpty(response.values[key]));
}

export function canReject(response: EntityResponse): boolean {
  return response.status === "submitted" && response.withdrawn_at === null;
}

export function canReopen(response: EntityResponse): boolean {
  return response.status === "rejected" && response.withdrawn_at === null;
}

/** What was promoted is part of the record's history, and stays until it is undone. */
export function canWithdraw(response: EntityResponse): boolean {
  return response.promoted_fields.length === 0 && response.withdrawn_at === null;
}

/** Why a dimension has no promote button; null when it has one. What was promoted before can be promoted again. */
export function whyNotPromotable(response: EntityResponse, key: string): string | null {
  if (response.withdrawn_at !== null) return "The response was withdrawn";
  if (response.status === "rejected") return "Reopen the response to promote it";
  if (response.status === "superseded") return "Newer responses took its place";
  if (!response.promotable_fields.includes(key)) return "The record has no field for this";
  if (isEmpty(response.values[key])) return "There is no value to promote";
  return null;
}

/** Whether the record's value is this one (`current`), was (`before`), or never has been (null). `sources` are what
 * each field's present value comes from; until they are known, all that can be said is `promoted`. */
export function promotionOf(
  response: EntityResponse,
  dimension: Dimension,
  sources: ReadonlyMap<string, FieldChange> | undefined,
): "current" | "before" | "promoted" | null {
  if (!response.promoted_fields.includes(dimension.key)) return null;
  if (!sources) return "promoted";
  const source = sources.get(dimension.fieldName ?? dimension.key);
  return source?.response_id === response.id && source.dimension_key === dimension.key ? "current" : "before";
}
