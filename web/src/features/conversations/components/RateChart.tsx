import { Skeleton, Table, VisuallyHidden } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { type RatePoint, bucketFormat } from "../lib/satisfaction";
import type { Bucket, ConversationsSearch } from "../lib/search";

// The drawing library is as large as the rest of the page: it comes when there is something to draw.
const RateLine = lazy(() => import("./RateLine"));

interface RateChartProps {
  label: string;
  /** The conversations of the bucket that begins at a moment. */
  searchOf: (at: number) => ConversationsSearch;
  points: RatePoint[];
  bucket: Bucket;
  span: [number, number];
  height: number;
}

/** The rate over time with its interval, and the same as a table for those who cannot see it. */
export function RateChart({ label, searchOf, points, bucket, span, height }: RateChartProps) {
  const router = useRouter();
  const format = bucketFormat(bucket, true);
  const target = (at: number) => ({ to: "/admin/agent-review/conversations", search: searchOf(at) }) as const;
  const leads = {
    hrefOf: (at: number) => router.buildLocation(target(at)).href,
    open: (at: number) => void router.navigate(target(at)),
  };
  return (
    <>
      <div role="group" aria-label={`${label}, as a chart`} style={{ height }}>
        <Suspense fallback={<Skeleton height={height} />}>
          <RateLine points={points} bucket={bucket} span={span} height={height} {...leads} />
        </Suspense>
      </div>
      <VisuallyHidden>
        <Table aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">When</Table.Th>
              <Table.Th scope="col">Rate</Table.Th>
              <Table.Th scope="col">Low</Table.Th>
              <Table.Th scope="col">High</Table.Th>
              <Table.Th scope="col">Reactions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {points.map(({ at, rate, range: [low, high], total }) => (
              <Table.Tr key={at}>
                <Table.Td>{format(at)}</Table.Td>
                <Table.Td>{`${rate} %`}</Table.Td>
                <Table.Td>{`${low} %`}</Table.Td>
                <Table.Td>{`${high} %`}</Table.Td>
                <Table.Td>{total}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </>
  );
}
