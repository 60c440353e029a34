import { type InfiniteData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { UnsettledReaction } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { TOPIC } from "./useConversations";

type Pages = InfiniteData<{ data: UnsettledReaction[]; next_cursor?: string | null }>;

export function useUnsettled(project: string | undefined) {
  const { slug, api } = useTenant();
  return usePagedList<UnsettledReaction>([TOPIC, slug, "unsettled", project ?? null], (query) =>
    unwrap(api.GET("/api/reactions/unsettled", { params: { query: { ...query, ...(project ? { project } : {}) } } })),
  );
}

export function useUnsettledCount(project: string | undefined) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "unsettled-count", project ?? null],
    queryFn: () => unwrap(api.GET("/api/reactions/unsettled/count", { params: { query: project ? { project } : {} } })),
  });
}

/** Which turn was meant; null: none of them. */
export interface Settlement {
  id: string;
  turn: { conversation_id: string; turn_id: string } | null;
}

/** What is settled leaves the queue at once, and returns when the server refuses. */
export function useSettle() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const queryKey = [TOPIC, slug, "unsettled"];
  return useMutation({
    mutationKey: queryKey,
    mutationFn: ({ id, turn }: Settlement) =>
      unwrap(
        api.POST("/api/reactions/{reaction_id}/settle", {
          params: { path: { reaction_id: id } },
          body: turn ?? { turn_id: null },
        }),
      ),
    onMutate: async ({ id }) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueriesData<Pages>({ queryKey });
      queryClient.setQueriesData<Pages>({ queryKey }, (pages) => pages && without(pages, id));
      return { before };
    },
    onError: (_error, _settlement, context) => {
      for (const [key, pages] of context?.before ?? []) queryClient.setQueryData(key, pages);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [TOPIC, slug] }),
  });
}

/** Takes a settlement back: `rn` says which, so that what a colleague said since stays. */
export interface Undo {
  id: string;
  rn: string;
}

export function useUndoSettling() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: [TOPIC, slug, "unsettled"],
    mutationFn: ({ id, rn }: Undo) =>
      unwrap(
        api.POST("/api/reactions/{reaction_id}/settle/undo", { params: { path: { reaction_id: id } }, body: { rn } }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [TOPIC, slug] }),
  });
}

function without(pages: Pages, id: string): Pages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, data: page.data.filter((row) => row.id !== id) })),
  };
}
