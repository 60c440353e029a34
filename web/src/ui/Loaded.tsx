import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toProblem } from "@/api/problem";
import { EmptyState, ErrorState, LoadingRows, NoAccess } from "./states";

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** In lower case, as in "Loading the view". */
  what: string;
  children: (data: Data) => ReactNode;
}

/** Draws one thing in whichever of its states it is. */
export function Loaded<Data>({ query, what, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <LoadingRows label={what} />;
  const { status } = toProblem(query.error);
  if (status === 403) return <NoAccess what={what} />;
  if (status === 404) {
    return (
      <EmptyState title="There is no such thing here">It may have been deleted, or the address is wrong.</EmptyState>
    );
  }
  return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
}
