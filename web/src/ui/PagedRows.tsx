import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { toProblem } from "@/api/problem";
import type { PagedList } from "@/api/usePagedList";
import { ErrorState, LoadingRows, NoAccess } from "./states";

interface PagedRowsProps<Row> {
  list: PagedList<Row>;
  /** Plural, in lower case, as in "Loading members". */
  what: string;
  empty: ReactNode;
  /** The table sorts what is loaded, and must say so while there is more. */
  sorted?: boolean;
  children: (rows: Row[]) => ReactNode;
}

/** Draws a paged list in whichever of its states it is, and offers the next page. */
export function PagedRows<Row>({ list: { query, rows }, what, empty, sorted, children }: PagedRowsProps<Row>) {
  if (query.isPending) return <LoadingRows label={what} />;
  if (!rows) {
    if (toProblem(query.error).status === 403) return <NoAccess what={what} />;
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (rows.length === 0) return empty;
  return (
    <Stack gap="sm">
      {sorted && query.hasNextPage && (
        <Text size="xs" c="dimmed" role="note">
          {`Sorted among the ${rows.length} ${what} loaded; there are more.`}
        </Text>
      )}
      {children(rows)}
      {query.hasNextPage && (
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {`${rows.length} ${what} loaded; there are more.`}
          </Text>
          <Button
            variant="default"
            size="xs"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Load more
          </Button>
        </Group>
      )}
    </Stack>
  );
}
