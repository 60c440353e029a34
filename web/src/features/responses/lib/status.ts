/** How the statuses of a response are worded and coloured, and what may be done in each. */
import type { EntityResponse, ResponseStatus } from "@/api/types";
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

const CLOSED: readonly ResponseStatus[] = ["rejected", "superseded"];

/** Keys of the dimensions that can still be promoted, in the order of the form. */
export function promotableKeys(response: EntityResponse): string[] {
  if (CLOSED.includes(response.status)) return [];
  return response.criteria_snapshot
    .map(({ key }) => key)
    .filter((key) => response.promotable_fields.includes(key) && !response.promoted_fields.includes(key))
    .filter((key) => !isEmpty(response.values[key]));
}

export function canReject(response: EntityResponse): boolean {
  return response.status === "submitted";
}

export function canReopen(response: EntityResponse): boolean {
  return response.status === "rejected";
}

/** What was promoted is part of the record's history, and stays until it is undone. */
export function canWithdraw(response: EntityResponse): boolean {
  return response.promoted_fields.length === 0;
}

/** Why a dimension has no promote button; null when it has one. */
export function whyNotPromotable(response: EntityResponse, key: string): string | null {
  if (response.promoted_fields.includes(key)) return null;
  if (!response.promotable_fields.includes(key)) return "The record has no field for this";
  if (response.status === "rejected") return "Reopen the response to promote it";
  if (response.status === "superseded") return "Newer responses took its place";
  return null;
}
