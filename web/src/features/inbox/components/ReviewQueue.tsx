import { ActionIcon, Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { CheckCircledIcon, ChevronLeftIcon, ChevronRightIcon, InfoCircledIcon } from "@radix-ui/react-icons";
import { useEffect } from "react";
import type { ListedResponse } from "@/api/types";
import { RejectDialog } from "@/features/promotion/components/RejectDialog";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import { useReviewQueue } from "../hooks/useReviewQueue";
import { useNewestWaiting, useQueue } from "../hooks/useWaiting";
import { countText } from "../lib/counts";
import { type ReviewSearch, isNarrowed } from "../lib/search";
import { Proposal } from "./Proposal";
import { QueueFilters } from "./QueueFilters";
import { ReviewQueueHelp, ReviewQueueHint } from "./ReviewQueueKeys";
import classes from "./queue.module.css";

const MOST_SOUGHT = 500; // proposals that are loaded to find the one that an address names

/** Whether the proposal that is named is not among those that are loaded. */
function isMissing(rows: readonly ListedResponse[] | undefined, named: string | undefined): boolean {
  return named !== undefined && rows !== undefined && rows.length > 0 && !rows.some(({ id }) => id === named);
}

interface ReviewQueueProps {
  search: ReviewSearch;
  onChange: (change: Partial<ReviewSearch>) => void;
}

/** Proposals of all records, one at a time. */
export function ReviewQueue({ search, onChange }: ReviewQueueProps) {
  const { response: named, ...filters } = search;
  const queue = useQueue(filters);
  const isSought = isMissing(queue.rows, named) && queue.list.hasNextPage && (queue.rows?.length ?? 0) < MOST_SOUGHT;
  useEffect(() => {
    if (isSought && !queue.list.isFetching && !queue.list.isError) void queue.list.fetchNextPage();
  });
  return (
    <Stack gap="md">
      <QueueFilters filters={filters} onChange={(change) => onChange({ ...change, response: undefined })} />
      <Arrived filters={filters} rows={queue.rows} onLoad={queue.reload} />
      {(queue.list.isPending || (isSought && !queue.list.isError)) && <LoadingRows label="proposals" />}
      {queue.list.isError && <ErrorState error={queue.list.error} onRetry={() => void queue.list.refetch()} />}
      {queue.rows?.length === 0 && <NothingWaits isNarrowed={isNarrowed(filters)} />}
      {!isSought && isMissing(queue.rows, named) && (
        <Alert color="gray" icon={<InfoCircledIcon />}>
          The proposal that this address names does not wait here any more. This is the newest one that does.
        </Alert>
      )}
      {queue.rows && queue.rows.length > 0 && !isSought && (
        <Working key={JSON.stringify(filters)} queue={queue} rows={queue.rows} named={named} onGo={(id) => onChange({ response: id })} />
      )}
    </Stack>
  );
}

interface WorkingProps {
  queue: ReturnType<typeof useQueue>;
  rows: readonly ListedResponse[];
  named: string | undefined;
  onGo: (id: string) => void;
}

function Working({ queue: { list, count }, rows, named, onGo }: WorkingProps) {
  const loadMore = () => {
    if (list.hasNextPage && !list.isFetching && !list.isError) void list.fetchNextPage();
  };
  const queue = useReviewQueue({ rows, named, loadMore, onGo });
  const { row, response, place } = queue;
  const total = Math.max(count?.count ?? 0, rows.length);
  const go = (step: number) => {
    const next = rows[place + step];
    if (next) onGo(next.id);
  };
  return (
    <>
      <div className={classes.progress}>
        <ActionIcon variant="default" size="lg" aria-label="Previous proposal" disabled={place <= 0} onClick={() => go(-1)}>
          <ChevronLeftIcon />
        </ActionIcon>
        <Text size="sm" fw={550} role="status">
          {place + 1} of {countText(total, count?.more ?? false)}
        </Text>
        <ActionIcon variant="default" size="lg" aria-label="Next proposal" disabled={place >= rows.length - 1} onClick={() => go(1)}>
          <ChevronRightIcon />
        </ActionIcon>
        <Progress className={classes.bar} value={(queue.decidedCount / total) * 100} aria-label="Decided" />
        <Text size="sm" c="dimmed">
          {queue.decidedCount} decided
        </Text>
      </div>
      {!list.hasNextPage && queue.decidedCount >= total && (
        <Alert color="green" icon={<CheckCircledIcon />}>
          You are through: all {queue.decidedCount} are decided.
        </Alert>
      )}
      <div ref={queue.keys.list}>
        {row && response && <Proposal key={row.id} queue={queue} row={row} response={response} />}
      </div>
      <Group justify="space-between" gap="sm" align="flex-start">
        <Text size="sm" className={classes.said} role="status">
          {queue.said}
        </Text>
        <ReviewQueueHint onClick={queue.keys.openHelp} />
      </Group>
      <RejectDialog response={queue.rejecting} onClose={queue.endRejecting} onRejected={queue.rejected} />
      <ReviewQueueHelp {...queue.keys.help} />
    </>
  );
}

interface ArrivedProps {
  filters: Omit<ReviewSearch, "response">;
  rows: readonly ListedResponse[] | undefined;
  onLoad: () => void;
}

/** What came since the queue was opened is said, and comes in when asked for. */
function Arrived({ filters, rows, onLoad }: ArrivedProps) {
  const newest = useNewestWaiting(filters, 1).data?.data[0];
  const first = rows?.[0];
  if (!rows || !newest || rows.some(({ id }) => id === newest.id) || (first && newest.created_at < first.created_at)) return null;
  return (
    <Alert color="blue" icon={<InfoCircledIcon />} role="status">
      <Group justify="space-between" gap="sm">
        New proposals have come in.
        <Button size="xs" variant="default" onClick={onLoad}>
          Show them
        </Button>
      </Group>
    </Alert>
  );
}

function NothingWaits({ isNarrowed }: { isNarrowed: boolean }) {
  return (
    <EmptyState icon={<CheckCircledIcon width={20} height={20} />} title="Nothing waits for review">
      {isNarrowed
        ? "Nothing that fits these filters waits. Choose others above."
        : "When somebody proposes values for a record, they wait here to be accepted. A rating alone has nothing to accept, and stands on its record."}
    </EmptyState>
  );
}
