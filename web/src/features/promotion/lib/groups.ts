/** A record's responses by the criteria set they answer. */
import type { CriteriaSet, Dimension, EntityResponse } from "@/api/types";
import { isRelationScoped } from "@/features/edges/lib/edgeMatrix";
import { responseScore } from "@/features/entities/lib/score";
import { isEmpty } from "@/features/entities/lib/values";

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

export interface FoldedGroup extends ResponseGroup {
  /** How many of its responses are not shown. */
  folded: number;
}

export function foldClosed(
  groups: readonly ResponseGroup[],
  isShown: (response: EntityResponse) => boolean,
): FoldedGroup[] {
  return groups.map((group) => {
    const rows = group.rows.filter(isShown);
    return { ...group, rows, folded: group.rows.length - rows.length };
  });
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

export interface Pictures {
  /** The sets whose ratings of connections can be shown as a picture. */
  of: readonly string[];
  shown: string | undefined;
}

/** One picture at a time. Without a choice it is that of the oldest set in use that has responses: one that is added
 * later does not take its place. */
export function choosePicture(
  groups: readonly ResponseGroup[],
  sets: readonly Pick<CriteriaSet, "id" | "scope" | "created_at">[],
  responses: readonly Pick<EntityResponse, "criteria_set_id">[],
  chosen: string | undefined,
): Pictures {
  const known = new Map(sets.map((set) => [set.id, set]));
  const of = groups
    .filter(({ criteriaSetId, rows }) => rows.some(isRelationScoped) || isRelationScoped(known.get(criteriaSetId) ?? NO_SCOPE))
    .map(({ criteriaSetId }) => criteriaSetId);
  if (chosen !== undefined && of.includes(chosen)) return { of, shown: chosen };
  const answered = new Set(responses.map(({ criteria_set_id }) => criteria_set_id));
  const made = (id: string) => known.get(id)?.created_at ?? NOT_IN_USE;
  const [shown] = [...of].sort(
    (one, other) =>
      Number(answered.has(other)) - Number(answered.has(one)) || (made(one) < made(other) ? -1 : 1),
  );
  return { of, shown };
}

const NO_SCOPE = { scope: null };
const NOT_IN_USE = "9999"; // after every time

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
