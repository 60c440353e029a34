import { Badge, Button, Group, Table, Text } from "@mantine/core";
import type { EntityResponse } from "@/api/types";
import { ScoreBadge } from "@/features/entities/components/ScoreBadge";
import { partyName } from "@/features/entities/lib/provenance";
import { responseScore } from "@/features/entities/lib/score";
import { isEmpty, shortValue } from "@/features/entities/lib/values";
import { RelativeTime } from "@/ui/RelativeTime";
import { ErrorState, LoadingRows } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useAggregation, useRaters } from "../hooks/useResponses";
import { type DimensionStatistics, areApart, describeFrequencies, dimensionsOf, formatFigure } from "../lib/statistics";
import classes from "./ScoreProgressionChart.module.css";

interface OfSet {
  entityId: string;
  criteriaSetId: string;
}

const columns: Column<DimensionStatistics>[] = [
  { key: "label", header: "Dimension", cell: ({ label }) => <Text size="sm">{label}</Text> },
  { key: "count", header: "Answers", cell: ({ count }) => count },
  { key: "mean", header: "Mean", cell: ({ mean }) => formatFigure(mean) },
  { key: "median", header: "Median", cell: ({ median }) => formatFigure(median) },
  { key: "min", header: "Lowest", cell: ({ min }) => formatFigure(min) },
  { key: "max", header: "Highest", cell: ({ max }) => formatFigure(max) },
  { key: "frequencies", header: "Chosen", cell: ({ frequencies }) => describeFrequencies(frequencies) || "–" },
];

/** What all responses that count say together, per dimension. */
export function SetStatistics({ entityId, criteriaSetId }: OfSet) {
  const { data, error, isPending, refetch } = useAggregation(entityId, criteriaSetId);
  if (isPending) return <LoadingRows label="statistics" rows={2} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const shown = columns.filter(({ key }) => key !== "frequencies" || data.dimensions.some(({ frequencies }) => frequencies));
  return <DataTable label="Statistics per dimension" columns={shown} rows={data.dimensions} rowKey={({ key }) => key} />;
}

/** Dimensions by people: the newest response of each rater, side by side. */
export function RatersSideBySide({ entityId, criteriaSetId }: OfSet) {
  const { query, rows } = useRaters(entityId, criteriaSetId);
  if (query.isPending) return <LoadingRows label="raters" rows={2} />;
  if (!rows) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const dimensions = dimensionsOf(rows).filter(({ key }) => rows.some(({ values }) => !isEmpty(values[key])));
  return (
    <>
      <div className={classes.scroll} role="region" aria-label="Raters side by side" tabIndex={0}>
        <Table verticalSpacing={6} aria-label="Raters side by side">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Dimension</Table.Th>
              {rows.map((response) => (
                <RaterHead key={response.id} response={response} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.some(({ normalized_score }) => normalized_score !== null) && (
              <Table.Tr>
                <Table.Th scope="row">Score</Table.Th>
                {rows.map(({ id, normalized_score }) => (
                  <Table.Td key={id}>
                    {normalized_score === null ? "–" : <ScoreBadge score={responseScore(normalized_score)} />}
                  </Table.Td>
                ))}
              </Table.Tr>
            )}
            {dimensions.map((dimension) => (
              <Table.Tr key={dimension.key}>
                <Table.Th scope="row">
                  <Group gap={6} wrap="nowrap">
                    {dimension.label}
                    {areApart(dimension, rows.map(({ values }) => values[dimension.key])) && (
                      <Badge color="gray" variant="outline" style={{ flex: "none" }}>
                        Apart
                      </Badge>
                    )}
                  </Group>
                </Table.Th>
                {rows.map(({ id, values }) => (
                  <Table.Td key={id}>{isEmpty(values[dimension.key]) ? "–" : shortValue(values[dimension.key])}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {query.hasNextPage && (
        <Button variant="default" size="xs" mt="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more raters
        </Button>
      )}
    </>
  );
}

function RaterHead({ response: { submitted_by, created_at, temporal_value } }: { response: EntityResponse }) {
  return (
    <Table.Th scope="col">
      {partyName(submitted_by)}
      <Text component="span" size="xs" c="dimmed" display="block" fw={400}>
        {temporal_value ?? <RelativeTime value={created_at} />}
      </Text>
    </Table.Th>
  );
}
