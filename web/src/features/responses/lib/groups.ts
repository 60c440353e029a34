/** A record's responses by the criteria set they answer. */
import type { CriteriaSet, Dimension, EntityResponse } from "@/api/types";
import { responseScore } from "@/features/entities/lib/score";
import { isEmpty } from "@/features/entities/lib/values";
import { isRelationScoped } from "./edgeMatrix";

export interface ResponseGroup {
  criteriaSetId: string;
  rows: EntityResponse[];
}

/** The default set first, then by name; a set that is not known (archived long ago) comes last. */
export function groupResponses(
  responses: readonly EntityResponse[],
  sets: readonly Pick<CriteriaSet, "id" | "name" | "is_default">[],
): ResponseGroup[] {
  const groups = new Map<string, EntityResponse[]>();
  for (const response of responses) {
    const rows = groups.get(response.criteria_set_id);
    if (rows) rows.push(response);
    else groups.set(response.criteria_set_id, [response]);
  }
  const ordered = [...sets].sort(
    (one, other) => Number(other.is_default) - Number(one.is_default) || one.name.localeCompare(other.name, "en"),
  );
  const rank = (id: string) => {
    const place = ordered.findIndex((set) => set.id === id);
    return place === -1 ? ordered.length : place;
  };
  return [...groups]
    .map(([criteriaSetId, rows]) => ({ criteriaSetId, rows }))
    .sort((one, other) => rank(one.criteriaSetId) - rank(other.criteriaSetId));
}

/** What rates connections is shown as a whole, whichever of its responses are listed. */
export function withMatrices(
  groups: readonly ResponseGroup[],
  sets: readonly Pick<CriteriaSet, "id" | "scope" | "archived_at">[],
): ResponseGroup[] {
  const listed = new Set(groups.map(({ criteriaSetId }) => criteriaSetId));
  const others = sets.filter((set) => isRelationScoped(set) && !set.archived_at && !listed.has(set.id));
  return [...groups, ...others.map(({ id }) => ({ criteriaSetId: id, rows: [] }))];
}

export interface GroupSummary {
  count: number;
  /** Of the newest response that has a score and was not rejected. */
  latestScore: number | null;
  scored: number;
}

/** `responses` are newest first. */
export function summarize(responses: readonly EntityResponse[], criteriaSetId: string): GroupSummary {
  const own = responses.filter((response) => response.criteria_set_id === criteriaSetId);
  const scored = own.filter((response) => response.normalized_score !== null && response.status !== "rejected");
  return {
    count: own.length,
    latestScore: responseScore(scored[0]?.normalized_score ?? null),
    scored: scored.length,
  };
}

/** What was filled in, and what was looked for in vain. */
export function shownDimensions(response: EntityResponse): Dimension[] {
  return response.criteria_snapshot.filter(
    ({ key }) => !isEmpty(response.values[key]) || response.field_meta[key] !== undefined,
  );
}
