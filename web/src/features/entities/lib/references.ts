/** Through which fields records of other types may lead to those of a type. */
import type { EntityType } from "@/api/types";
import { listRelationFields } from "@/features/entity_types/lib/fields";

export interface ReferringField {
  key: string;
  label: string;
  /** Those that have a field of this name which leads there. */
  types: EntityType[];
}

export function listReferringFields(targetType: string, types: readonly EntityType[]): ReferringField[] {
  const found = new Map<string, ReferringField>();
  for (const type of types) {
    for (const { key, label, targetType: leadsTo } of listRelationFields(type)) {
      if (leadsTo !== targetType) continue;
      const known = found.get(key);
      if (known) known.types.push(type);
      else found.set(key, { key, label, types: [type] });
    }
  }
  return [...found.values()];
}
