/** What responses propose for one field of a record, beside the value it has. */
import type { Dimension, EntityResponse, FieldChange } from "@/api/types";

export interface Proposal {
  response: EntityResponse;
  dimension: Dimension;
  value: unknown;
}

/** The field that takes a dimension's value, if the response says that one does. */
export function targetField(response: EntityResponse, dimension: Dimension): string | null {
  if (!response.promotable_fields.includes(dimension.key)) return null;
  return dimension.fieldName ?? dimension.key;
}

/** Newest first; the present source is no alternate to itself, and what was rejected is no proposal. */
export function alternatesFor(
  field: string,
  responses: readonly EntityResponse[],
  source: FieldChange | undefined,
): Proposal[] {
  return responses.flatMap((response) => {
    if (response.status === "rejected" || response.withdrawn_at !== null) return [];
    return response.criteria_snapshot
      .filter((dimension) => targetField(response, dimension) === field)
      .filter((dimension) => source?.response_id !== response.id || source.dimension_key !== dimension.key)
      .map((dimension) => ({ response, dimension, value: response.values[dimension.key] }));
  });
}
