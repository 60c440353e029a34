/** Which criteria sets rate connections: from the side of the record that has them, and of the one they lead to. */
import type { CriteriaSet, EntityType } from "@/api/types";
import { type RelationField, listRelationFields } from "@/features/entity_types/lib/fields";

/** A set that rates the connections through a field of a type. */
export interface ScopedSet {
  set: CriteriaSet;
  type: EntityType;
  field: RelationField;
}

function scopedField({ scope }: CriteriaSet): string | null {
  return scope?.type === "relation" ? (scope.fieldKey ?? null) : null;
}

/** The sets that rate the connections of records of a type. */
export function setsOf(type: EntityType, sets: readonly CriteriaSet[]): ScopedSet[] {
  const fields = listRelationFields(type);
  return sets.flatMap((set) => {
    const fits = set.entity_type_slugs?.includes(type.slug) ?? true;
    const field = fields.find(({ key }) => key === scopedField(set));
    return fits && field ? [{ set, type, field }] : [];
  });
}

/** The sets by which records of a type are rated as what others lead to, each with the types that lead there. */
export function setsAbout(
  targetType: string,
  types: readonly EntityType[],
  sets: readonly CriteriaSet[],
): { set: CriteriaSet; types: EntityType[] }[] {
  const leading = types
    .flatMap((type) => setsOf(type, sets))
    .filter(({ field }) => field.targetType === targetType);
  return sets.flatMap((set) => {
    const from = leading.filter((each) => each.set.id === set.id).map(({ type }) => type);
    return from.length > 0 ? [{ set, types: from }] : [];
  });
}
