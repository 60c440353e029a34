import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

const SUGGESTED = 20; // as many as one reads in a list of suggestions

/** Records a view can be tried on: of its type, or of any. */
export function usePreviewRecords(typeSlug: string | null, q: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "preview_records", typeSlug, q],
    queryFn: () =>
      unwrap(
        api.GET("/api/entities", {
          params: {
            query: { limit: SUGGESTED, sort: "-updated", ...(typeSlug ? { type: typeSlug } : {}), ...(q ? { q } : {}) },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  });
}
