import { Paper, Skeleton, Table, Text, VisuallyHidden } from "@mantine/core";
import { Suspense, lazy } from "react";
import { ErrorState, LoadingRows } from "@/ui/states";
import { formatAbsolute } from "@/ui/time";
import { useAggregation } from "../hooks/useResponses";
import { type Point, describeTrend, toPoints } from "../lib/progression";

// The drawing library is as large as the rest of the page: it comes when there is something to draw.
const ScoreLine = lazy(() => import("./ScoreLine"));

const HEIGHT = 190; // pixels: enough to tell 5 points apart, and two charts fit on a laptop

interface ScoreProgressionChartProps {
  entityId: string;
  criteriaSetId: string;
}

/** The score over time with the spread between respondents, and the same as a table for those who cannot see it. */
export function ScoreProgressionChart({ entityId, criteriaSetId }: ScoreProgressionChartProps) {
  const { data, error, isPending, refetch } = useAggregation(entityId, criteriaSetId);
  if (isPending) return <LoadingRows label="scores" rows={3} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const points = toPoints(data.progression);
  if (points.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No response to this criteria set has a score yet.
      </Text>
    );
  }
  return (
    <Paper component="figure" withBorder radius="lg" p="md" m={0}>
      <Text component="figcaption" size="sm" mb="xs">
        <Text span fw={600} size="sm">
          Score over time
        </Text>{" "}
        <Text span size="sm" c="dimmed">
          {describeTrend(points, data.respondents)}
        </Text>
      </Text>
      <div aria-hidden style={{ height: HEIGHT }}>
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <ScoreLine points={points} height={HEIGHT} />
        </Suspense>
      </div>
      <VisuallyHidden>
        <PointsTable points={points} />
      </VisuallyHidden>
    </Paper>
  );
}

function PointsTable({ points }: { points: readonly Point[] }) {
  return (
    <Table aria-label="Scores over time">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">When</Table.Th>
          <Table.Th scope="col">Score</Table.Th>
          <Table.Th scope="col">Lowest</Table.Th>
          <Table.Th scope="col">Highest</Table.Th>
          <Table.Th scope="col">Responses</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {points.map((point) => (
          <Table.Tr key={point.at}>
            <Table.Td>{formatAbsolute(new Date(point.at).toISOString())}</Table.Td>
            <Table.Td>{point.score}</Table.Td>
            <Table.Td>{point.range[0]}</Table.Td>
            <Table.Td>{point.range[1]}</Table.Td>
            <Table.Td>{point.count}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
