import { Button, Paper, Skeleton, Table, Text, VisuallyHidden } from "@mantine/core";
import { Suspense, lazy } from "react";
import { formatScore } from "@/features/entities/lib/score";
import { ErrorState, LoadingRows } from "@/ui/states";
import { formatAbsolute } from "@/ui/time";
import { useScores } from "../hooks/useResponses";
import { type Progression, describeProgression, toProgression } from "../lib/progression";
import { MEDIAN_COLOR, ScoreMark } from "./ScoreMark";
import classes from "./ScoreProgressionChart.module.css";

// The drawing library is as large as the rest of the page: it comes when there is something to draw.
const ScoreLine = lazy(() => import("./ScoreLine"));

const HEIGHT = 190; // pixels: enough to tell 5 points apart, and two charts fit on a laptop

interface ScoreProgressionChartProps {
  entityId: string;
  criteriaSetId: string;
}

/** Scores over time, by rater, and the same as a table: of a temporal set for all, else for those who cannot see the chart. */
export function ScoreProgressionChart({ entityId, criteriaSetId }: ScoreProgressionChartProps) {
  const { query, rows: points } = useScores(entityId, criteriaSetId);
  if (query.isPending) return <LoadingRows label="scores" rows={3} />;
  if (!points) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (points.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No response to this criteria set has a score yet.
      </Text>
    );
  }
  const progression = toProgression(points);
  return (
    <Paper component="figure" withBorder radius="lg" p="md" m={0}>
      <Text component="figcaption" size="sm" mb="xs">
        <Text span fw={600} size="sm">
          Score over time
        </Text>{" "}
        <Text span size="sm" c="dimmed">
          {describeProgression(progression)}
        </Text>
      </Text>
      <Legend progression={progression} />
      <div aria-hidden style={{ height: HEIGHT }}>
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <ScoreLine progression={progression} height={HEIGHT} />
        </Suspense>
      </div>
      {progression.isTemporal ? (
        <TemporalTable progression={progression} />
      ) : (
        <VisuallyHidden>
          <TimesTable progression={progression} />
        </VisuallyHidden>
      )}
      {query.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          mt="xs"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {`The newest ${points.length} scores: show older`}
        </Button>
      )}
    </Paper>
  );
}

function Legend({ progression: { series, latest } }: { progression: Progression }) {
  if (latest.length < 2) return null;
  return (
    <ul className={classes.legend} aria-label="Raters">
      {series.map(({ key, name, hasLine }, place) => (
        <li key={key}>
          <svg width={12} height={12} aria-hidden>
            <ScoreMark place={place} hasLine={hasLine} cx={6} cy={6} />
          </svg>
          {name}
        </li>
      ))}
      <li>
        <svg width={18} height={12} aria-hidden>
          <line x1={0} x2={18} y1={6} y2={6} stroke={MEDIAN_COLOR} strokeWidth={1.5} strokeDasharray="5 4" />
        </svg>
        Median of what each last said
      </li>
    </ul>
  );
}

function TimesTable({ progression: { rows } }: { progression: Progression }) {
  return (
    <Table aria-label="Scores over time">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">When</Table.Th>
          <Table.Th scope="col">Rater</Table.Th>
          <Table.Th scope="col">Score</Table.Th>
          <Table.Th scope="col">Median</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ x, who, scores, median }, place) => (
          <Table.Tr key={place}>
            <Table.Td>{formatAbsolute(new Date(x).toISOString())}</Table.Td>
            <Table.Td>{who}</Table.Td>
            <Table.Td>{Object.values(scores).map(formatScore).join(", ")}</Table.Td>
            <Table.Td>{formatScore(median)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function TemporalTable({ progression: { series, rows, latest } }: { progression: Progression }) {
  return (
    <div className={classes.scroll} role="region" aria-label="Scores by temporal value" tabIndex={0}>
      <Table verticalSpacing={4} aria-label="Scores over time">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">When</Table.Th>
            {series.map(({ key, name }) => (
              <Table.Th key={key} scope="col">
                {name}
              </Table.Th>
            ))}
            {latest.length > 1 && <Table.Th scope="col">Median</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ x, scores, median }) => (
            <Table.Tr key={x}>
              <Table.Th scope="row">{x}</Table.Th>
              {series.map(({ key }) => (
                <Table.Td key={key}>{formatScore(scores[key] ?? null)}</Table.Td>
              ))}
              {latest.length > 1 && <Table.Td>{formatScore(median)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
