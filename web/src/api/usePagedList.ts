import { useInfiniteQuery } from "@tanstack/react-query";

export const PAGE_SIZE = 100;

interface Page<Row> {
  data: Row[];
  next_cursor?: string | null;
}

/** A cursor-paged list as one growing array of rows. A page may say more than its rows. */
export function usePagedList<Row, Answer extends Page<Row> = Page<Row>>(
  queryKey: readonly unknown[],
  fetchPage: (query: { limit: number; cursor?: string }) => Promise<Answer>,
  /** Milliseconds between two looks, for what no event tells of; without, events alone say when to look again. */
  refetchInterval?: number | false,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      fetchPage({ limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor || undefined,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  });
  return { query, rows: query.data?.pages.flatMap((page): Row[] => page.data) };
}

export type PagedList<Row> = ReturnType<typeof usePagedList<Row>>;
