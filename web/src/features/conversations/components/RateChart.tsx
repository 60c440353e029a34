import { Skeleton, Table, VisuallyHidden } from "@mantine/core";
import { Suspense, lazy } from "react";
import { type RatePoint, bucketFormat } from "../lib/satisfaction";
import type { Bucket } from "../lib/search";

// The drawing library is as large as the rest of the page: it comes when there is something to draw.
const RateLine = lazy(() => import("./RateLine"));

interface RateChartProps {
  label: string;
  points: RatePoint[];
  bucket: Bucket;
  span: [number, number];
  height: number;
}

/** The rate over time with its interval, and the same as a table for those who cannot see it. */
export function RateChart({ label, points, bucket, span, height }: RateChartProps) {
  const format = bucketFormat(bucket, true);
  return (
    <>
      <div aria-hidden style={{ height }}>
        <Suspense fallback={<Skeleton height={height} />}>
          <RateLine points={points} bucket={bucket} span={span} height={height} />
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
