import { Paper, Skeleton, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Suspense, lazy, useRef } from "react";
import type { CriteriaSet, Entity } from "@/api/types";
import { useMatrixAggregation } from "@/features/responses/hooks/useResponses";
import { ErrorState, LoadingRows } from "@/ui/states";
import { useMatrixView } from "../hooks/useMatrixView";
import { type Bubble, type Matrix, type Overlay, describeChart, formatValue } from "../lib/matrixView";
import { MatrixControls } from "./MatrixControls";
import { MatrixExport } from "./MatrixExport";
import { MatrixLeaderboard } from "./MatrixLeaderboard";

// The drawing library is as large as the rest of the page: it comes when there is something to draw.
const BubbleChart = lazy(() => import("./BubbleChart"));

const HEIGHT = 380; // pixels: room for titles beside the bubbles, and the table begins on the same screen

const SHOWN = { wide: 25, narrow: 8 }; // rows of the table before one asks for more
const NARROW = 0.65; // of the bubbles on a phone: the chart there is a third as wide

interface MatrixAggregationViewProps {
  entity: Pick<Entity, "id" | "title">;
  criteriaSet: Pick<CriteriaSet, "id" | "name">;
  /** The page may show another one, of another criteria set. */
  isOneOfSeveral?: boolean;
}

/** What all responses say about each connection: a picture, and the same as a table. The address holds its state. */
export function MatrixAggregationView({ entity, criteriaSet, isOneOfSeveral = false }: MatrixAggregationViewProps) {
  const { data, error, isPending, refetch } = useMatrixAggregation(entity.id, criteriaSet.id);
  if (isPending) return <LoadingRows label="ratings" rows={5} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const { matrix } = data;
  if (!matrix || matrix.cells.connection.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No connection has been rated yet.
      </Text>
    );
  }
  return (
    <Picture
      entity={entity}
      criteriaSet={criteriaSet}
      isOneOfSeveral={isOneOfSeveral}
      matrix={matrix}
      responses={data.count}
    />
  );
}

type PictureProps = Required<MatrixAggregationViewProps> & { matrix: Matrix; responses: number };

function Picture({ entity, criteriaSet, isOneOfSeveral, matrix, responses }: PictureProps) {
  const view = useMatrixView(matrix, { criteriaSetId: criteriaSet.id, isOneOfSeveral });
  const { choice, bubbles, dots, ranked, xAxis, yAxis, zLabel } = view;
  const chart = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery("(max-width: 48em)") ?? false;
  const labels = { x: xAxis.label, y: yAxis.label, z: zLabel };
  return (
    <Stack gap="sm">
      <Paper
        component="figure"
        withBorder
        radius="lg"
        p="md"
        m={0}
        data-x={choice.x}
        data-y={choice.y}
        data-z={choice.z}
        data-agg={choice.agg}
        data-overlay={choice.overlay}
      >
        <Text component="figcaption" size="sm" mb="sm">
          <Text span fw={600} size="sm">
            Ratings by connection
          </Text>{" "}
          <Text span size="sm" c="dimmed">
            {counted(responses, "response")} by {counted(matrix.respondents.length, "respondent")} about{" "}
            {counted(ranked.length, "connection")}
          </Text>
        </Text>
        {choice.x === null ? (
          <Text size="sm" c="dimmed">
            This criteria set has no numbers or ratings to draw.
          </Text>
        ) : (
          <>
            <MatrixControls dimensions={matrix.dimensions} choice={choice} onChoose={view.choose} />
            <div ref={chart} role="img" aria-label={describeChart(choice, labels, bubbles.length, view)}>
              <div aria-hidden style={{ height: HEIGHT }}>
                <Suspense fallback={<Skeleton height={HEIGHT} />}>
                  <BubbleChart
                    points={bubbles}
                    overlayData={dots}
                    xAxis={xAxis}
                    yAxis={yAxis}
                    zLabel={zLabel}
                    height={HEIGHT}
                    shrink={narrow ? NARROW : 1}
                  />
                </Suspense>
              </div>
            </div>
            <Text size="xs" c="dimmed">
              {notes(bubbles, ranked.length, zLabel, choice.overlay ? view : null).join(" ")}
            </Text>
          </>
        )}
        <MatrixExport
          entity={entity}
          criteriaSet={criteriaSet}
          agg={choice.agg}
          ranked={ranked}
          dimensions={matrix.dimensions}
          findDrawing={() => chart.current?.querySelector("svg") ?? null}
        />
      </Paper>
      <MatrixLeaderboard
        ranked={ranked}
        dimensions={matrix.dimensions}
        sort={choice.sort}
        onSort={(sort) => view.choose({ sort })}
        shown={narrow ? SHOWN.narrow : SHOWN.wide}
      />
    </Stack>
  );
}

function counted(count: number, what: string): string {
  return `${formatValue(count)} ${what}${count === 1 ? "" : "s"}`;
}

function dotted({ drawn, total }: Pick<Overlay, "drawn" | "total">): string {
  const all = counted(total, "single rating");
  return drawn < total ? `${formatValue(drawn)} of ${all}: not all of them can be drawn` : all;
}

function notes(
  bubbles: readonly Bubble[],
  connections: number,
  zLabel: string | null,
  overlay: Pick<Overlay, "drawn" | "total"> | null,
): string[] {
  const undrawn = connections - bubbles.length;
  const crowded = bubbles.filter(({ hidden }) => hidden > 0).length;
  return [
    ...(crowded > 0 ? [`${counted(crowded, "connection")} stand in the same place as others.`] : []),
    ...(zLabel ? [`The larger a bubble, the higher its ${zLabel}.`] : []),
    ...(overlay ? [`The pale dots are ${dotted(overlay)}.`] : []),
    ...(undrawn > 0
      ? [`${counted(undrawn, "connection")} ${undrawn === 1 ? "has" : "have"} no value on both axes and ${undrawn === 1 ? "stands" : "stand"} only in the table.`]
      : []),
  ];
}
