import { useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { FieldChange } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** The entry that each field's present value comes from, by field. */
export function useProvenance(entityId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "fields", { about: entityId }],
    queryFn: async () => {
      const found: FieldChange[] = [];
      let cursor: string | null | undefined;
      do {
        const params = { path: { entity_id: entityId }, query: cursor ? { cursor } : {} };
        const page = await unwrap(api.GET("/api/entities/{entity_id}/fields", { params }));
        found.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor);
      return found;
    },
    select: (found) => new Map<string, FieldChange>(found.map((change) => [change.field, change])),
  });
}

export function useFieldHistory(entityId: string, field: string) {
  const { slug, api } = useTenant();
  return usePagedList<FieldChange>(["entities", slug, "history", { about: entityId }, field], (query) =>
    unwrap(
      api.GET("/api/entities/{entity_id}/fields/{field}/history", {
        params: { path: { entity_id: entityId, field }, query },
      }),
    ),
  );
}
