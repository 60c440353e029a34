import { unwrap } from "@/api/client";
import type { GoldenSet } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** The sets of goldens that a task can replay, by name. */
export function useSetChoice() {
  const { slug, api } = useTenant();
  return usePagedList<GoldenSet>(["goldens", slug, "sets"], (query) => unwrap(api.GET("/api/admin/evals/sets", { params: { query } })));
}
