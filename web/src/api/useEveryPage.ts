import { useEffect } from "react";
import type { PagedList } from "./usePagedList";

/** Loads a list to its end, page after page, as long as that is wanted. For what there are dozens of, not millions. */
export function useEveryPage<Row>(list: PagedList<Row>, wanted = true): PagedList<Row> {
  const { hasNextPage, isFetching, isError, fetchNextPage } = list.query;
  useEffect(() => {
    if (wanted && hasNextPage && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false });
  }); // after each: a page may come so fast that nothing but the rows has changed
  return list;
}
