/** What a claim rests on, in the server's terms: who is a claim, and how its two numbers come from its sources. */
import { type Fault, parsePointer } from "@/api/faults";
import type { ClaimSettings, ClaimSource, CriteriaSet, EntityType, FieldChange } from "@/api/types";
import { isNumeric } from "@/features/criteria/lib/dimensionTypes";
import { listRelationFields } from "@/features/entity_types/lib/fields";

export const SOURCE_COUNT = "source_count";
export const QUALITY_AVG = "source_quality_avg";

/** A workspace's settings together with what they lead to. */
export interface ClaimWords {
  settings: ClaimSettings;
  sourceTypeName: string;
  fieldLabel: string;
  claimType: string;
}

/** Null where the configured field leads nowhere: then nothing is a claim. */
export function readWords(settings: ClaimSettings, sourceType: EntityType): ClaimWords | null {
  const field = listRelationFields(sourceType).find(({ key }) => key === settings.relation_field);
  if (sourceType.slug !== settings.source_type || !field) return null;
  return { settings, sourceTypeName: sourceType.name, fieldLabel: field.label, claimType: field.targetType };
}

export interface Counted {
  count: number;
  rated: number;
  /** Null while none is rated. */
  average: number | null;
}

/** The mean of the sources' means; an unrated source counts and does not weigh. */
export function countSources(sources: readonly Pick<ClaimSource, "quality">[]): Counted {
  const qualities = sources.flatMap(({ quality }) => (quality === null ? [] : [quality]));
  const sum = qualities.reduce((total, quality) => total + quality, 0);
  return {
    count: sources.length,
    rated: qualities.length,
    average: qualities.length > 0 ? sum / qualities.length : null,
  };
}

export interface Carried {
  count: number | null;
  average: number | null;
}

/** The numbers that a claim carries; null where it carries none. */
export function carriedNumbers(content: Record<string, unknown>): Carried {
  return { count: asNumber(content[SOURCE_COUNT]), average: asNumber(content[QUALITY_AVG]) };
}

const SAME = 1e-9; // sums in another order differ by less

/** Whether the sources have changed since the claim was counted. */
export function isBehind(carried: Carried, found: Counted): boolean {
  if ((carried.count ?? 0) !== found.count) return true;
  if (carried.average === null || found.average === null) return carried.average !== found.average;
  return Math.abs(carried.average - found.average) > SAME * Math.max(1, Math.abs(found.average));
}

/** Of the fields that carry the numbers, those whose value somebody else than Goldloop wrote. */
export function writtenByOthers(
  content: Record<string, unknown>,
  provenance: ReadonlyMap<string, Pick<FieldChange, "kind">>,
): string[] {
  return [SOURCE_COUNT, QUALITY_AVG].filter((field) => {
    const kind = provenance.get(field)?.kind;
    return field in content && kind !== undefined && kind !== "aggregate";
  });
}

/** The place and the reason, as the schema has them. */
export function describeRefusal({ path, message }: Pick<Fault, "path" | "message">): string {
  const [, ...place] = parsePointer(path);
  return `${place.join(", ") || "its content"} (${message})`;
}

function asNumber(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** Two digits are enough to tell sources apart. */
export function formatQuality(quality: number): string {
  return String(Math.round(quality * 100) / 100);
}

const MAX_TERMS = 8; // a sum that can still be read

/** The average as one would reckon it by hand; null where that is too long, or says nothing. */
export function reckon(sources: readonly Pick<ClaimSource, "quality">[]): string | null {
  const { rated, average } = countSources(sources);
  if (average === null || rated < 2 || rated > MAX_TERMS) return null;
  const qualities = sources.flatMap(({ quality }) => (quality === null ? [] : [quality]));
  const isExact = [...qualities, average].every((number) => Number(formatQuality(number)) === number);
  return `(${qualities.map(formatQuality).join(" + ")}) ÷ ${rated} ${isExact ? "=" : "≈"} ${formatQuality(average)}`;
}

/** The scale that all numbers of a set share: only then a mean of them can be drawn as a length. */
export function commonScale(set: Pick<CriteriaSet, "dimensions"> | null | undefined): [number, number] | null {
  const scales = (set?.dimensions ?? []).filter(({ type }) => isNumeric(type)).map(({ scale }) => scale ?? null);
  const [first] = scales;
  if (!first) return null;
  const shared = scales.every((scale) => scale !== null && scale[0] === first[0] && scale[1] === first[1]);
  return shared ? [first[0], first[1]] : null;
}

/** How far along its scale a quality is, from 0 to 100. */
export function alongScale(quality: number, [min, max]: [number, number]): number {
  return Math.min(100, Math.max(0, ((quality - min) / (max - min)) * 100));
}
