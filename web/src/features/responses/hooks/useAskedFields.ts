import { useMemo } from "react";
import type { Dimension } from "@/api/types";
import type { Asked } from "@/features/criteria/lib/asked";
import { findTargets } from "@/features/criteria/lib/targets";
import { useEntity } from "@/features/entities/hooks/useEntities";
import { useEntityType } from "@/features/entity_types/hooks/useEntityTypes";

/** The fields that dimensions lead to in this record, with what it holds there; a form does not wait for them. */
export function useAskedFields(entityId: string, dimensions: readonly Dimension[]): ReadonlyMap<string, Asked> {
  const { data: entity } = useEntity(entityId);
  const { data: entityType } = useEntityType(entity?.type);
  return useMemo(() => {
    const targets = findTargets(dimensions, entityType ?? undefined);
    return new Map([...targets].map(([key, field]) => [key, { ...field, present: entity?.content[field.key] }]));
  }, [dimensions, entity, entityType]);
}
