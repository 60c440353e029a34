import { unwrap } from "@/api/client";
import type { Outcome, RankedConnection } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { usePagedList } from "@/api/usePagedList";
import { useCriteriaSets } from "@/features/criteria/hooks/useCriteriaSets";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** Every type and every criteria set in use; undefined until the first of both are there. */
export function useTypesAndSets() {
  const { rows: types } = useEveryPage(useEntityTypes());
  const { rows: sets } = useEveryPage(useCriteriaSets());
  return types && sets ? { types, sets } : undefined;
}

/** The records that did best with this one, best first. */
export function useOutcomes(entityId: string, criteriaSetId: string) {
  const { slug, api } = useTenant();
  return usePagedList<Outcome>(["entities", slug, "outcomes", entityId, criteriaSetId], (query) =>
    unwrap(
      api.GET("/api/entities/{entity_id}/outcomes", {
        params: { path: { entity_id: entityId }, query: { ...query, criteria_set_id: criteriaSetId } },
      }),
    ),
  );
}

/** A record's connections through a field, best rated first. */
export function useRankedConnections(entityId: string, fieldKey: string, criteriaSetId: string) {
  const { slug, api } = useTenant();
  return usePagedList<RankedConnection>(["entities", slug, "ranked", entityId, fieldKey, criteriaSetId], (query) =>
    unwrap(
      api.GET("/api/entities/{entity_id}/relations/ranked", {
        params: {
          path: { entity_id: entityId },
          query: { ...query, field_key: fieldKey, criteria_set_id: criteriaSetId },
        },
      }),
    ),
  );
}
