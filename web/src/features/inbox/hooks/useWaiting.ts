import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { ListedResponse, Party } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type ReviewFilters, toQuery } from "../lib/search";

const PAGE = 50;

/** The newest few of what waits, as it is now. */
export function useNewestWaiting(filters: ReviewFilters, limit: number) {
  const { slug, api } = useTenant();
  const wanted = { ...toQuery(filters), limit };
  return useQuery({
    queryKey: ["entities", slug, "waiting", wanted],
    queryFn: () => unwrap(api.GET("/api/responses", { params: { query: wanted } })),
  });
}

/** The table for spreadsheets of what waits, all of it. */
export function useWaitingCsv(filters: ReviewFilters) {
  const { api } = useTenant();
  const query = toQuery(filters);
  return () => unwrap(api.GET("/api/responses/responses.csv", { params: { query }, parseAs: "text" }));
}

/** What waited when the queue was opened. It stays as it was, so that nothing is lost under the hands of whoever works
 * through it; what has become of the one at hand is asked for by itself. */
export function useQueue(filters: ReviewFilters) {
  const { slug, api } = useTenant();
  const wanted = toQuery(filters);
  const lasting = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, meta: { stays: true } };
  const list = useInfiniteQuery({
    queryKey: ["review-queue", slug, "list", wanted],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/api/responses", {
          params: { query: { ...wanted, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor || undefined,
    ...lasting,
  });
  const count = useQuery({
    queryKey: ["review-queue", slug, "count", wanted],
    queryFn: () => unwrap(api.GET("/api/responses/count", { params: { query: wanted } })),
    ...lasting,
  });
  const rows = list.data?.pages.flatMap((page): ListedResponse[] => page.data);
  const reload = () => {
    void count.refetch();
    void list.refetch();
  };
  return { list, rows, count: count.data, reload };
}

export function useAssign() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["entities", slug],
    mutationFn: (body: { ids: string[]; user_id: string | null }) => unwrap(api.POST("/api/responses/assign", { body })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["entities", slug] }),
  });
}

const BATCH = 200; // records that the server takes at once

/** Assigns all that waits for review of some records; `changed` counts what was not so before. */
export function useAssignRecords() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["entities", slug],
    mutationFn: async ({ entityIds, userId }: { entityIds: readonly string[]; userId: string | null }) => {
      let changed = 0;
      let assigned_to: Party | null = null;
      for (let place = 0; place < entityIds.length; place += BATCH) {
        const body = { entity_ids: entityIds.slice(place, place + BATCH), user_id: userId };
        for (let more = true; more; ) {
          const done = await unwrap(api.POST("/api/responses/assign", { body }));
          changed += done.changed.length;
          assigned_to = done.assigned_to;
          more = done.more;
        }
      }
      return { changed, assigned_to };
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["entities", slug] }),
  });
}
