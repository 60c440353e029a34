import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { EvalTrendPoint } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useTrend } from "../hooks/useEvalRuns";
import { useGoldens } from "../hooks/useGoldens";
import { percent } from "../lib/numbers";
import { floorRate } from "../lib/floor";
import { type TrendMark, isConfirmed, stretches, trendMarks } from "../lib/trend";
import { VerdictBadge } from "./EvalBadges";
import classes from "./evals.module.css";

interface TrendViewProps {
  set: string;
  /** A slug; all agents without it. */
  agent: string | undefined;
}

/** Pass rates of a set's runs over time with their band, and where the agent or the set changed. */
export function TrendView({ set, agent }: TrendViewProps) {
  const list = useTrend(set, agent);
  const { rows: goldens = [] } = useEveryPage(useGoldens(set));
  const empty =
    agent === undefined ? (
      <EmptyState title="No run of this set is over yet">Each run that ends is a point here.</EmptyState>
    ) : (
      <EmptyState title="No run of this agent is over yet">Choose another agent, or all of them.</EmptyState>
    );
  return (
    <PagedRows list={list} what="runs" empty={empty}>
      {(points) => <Trend points={points} floor={floorRate(goldens)} />}
    </PagedRows>
  );
}

interface TrendProps {
  points: readonly EvalTrendPoint[];
  /** How often unchanged replays pass; null where nobody measured it. */
  floor: number | null;
}

function Trend({ points, floor }: TrendProps) {
  const marks = trendMarks(points);
  return (
    <>
      <figure className={classes.trend}>
        <Drawing marks={marks} floor={floor} />
        <figcaption className={classes.plotCaption}>
          Pass rate of each run with its 95% interval, oldest on the left. A dashed line is where the agent or the set changed; a
          red triangle is a regression that fresh repeats confirm.{" "}
          {floor === null ? "The noise floor was not measured." : `The dotted line is the noise floor: unchanged replays pass in ${percent(floor)}.`}
        </figcaption>
      </figure>
      <DataTable label="Runs over time" columns={COLUMNS} rows={marks.toReversed()} rowKey={({ runId }) => runId} />
    </>
  );
}

const HEIGHT = 180;
const LINE = 16; // of a tick's words
const TICKS = [0, 25, 50, 75, 100];
const up = (rate: number) => HEIGHT - (rate / 100) * HEIGHT;

/** The same figures are in the table below. */
function Drawing({ marks, floor }: { marks: readonly TrendMark[]; floor: number | null }) {
  return (
    <div className={classes.trendFrame} aria-hidden>
      <div className={classes.trendTicks} style={{ height: HEIGHT + LINE }}>
        {TICKS.toReversed().map((tick) => (
          <span key={tick}>{tick}%</span>
        ))}
      </div>
      <div className={classes.trendDrawing} style={{ height: HEIGHT }}>
        <svg width="100%" height={HEIGHT} viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none">
          {TICKS.map((tick) => (
            <line key={tick} x1={0} x2={100} y1={up(tick)} y2={up(tick)} className={classes.plotTick} vectorEffect="non-scaling-stroke" />
          ))}
          {floor !== null && <line x1={0} x2={100} y1={up(100 * floor)} y2={up(100 * floor)} className={classes.trendFloor} vectorEffect="non-scaling-stroke" />}
          {stretches(marks).map((stretch) => (
            <g key={stretch[0]?.runId}>
              <polygon
                className={classes.trendBand}
                points={[
                  ...stretch.map(({ x, high, rate }) => `${x},${up(high ?? rate ?? 0)}`),
                  ...stretch.toReversed().map(({ x, low, rate }) => `${x},${up(low ?? rate ?? 0)}`),
                ].join(" ")}
              />
              <polyline className={classes.trendLine} points={stretch.map(({ x, rate }) => `${x},${up(rate ?? 0)}`).join(" ")} vectorEffect="non-scaling-stroke" />
            </g>
          ))}
          {marks
            .filter(({ changed }) => changed.length > 0)
            .map(({ runId, x }) => (
              <line key={runId} x1={x} x2={x} y1={0} y2={HEIGHT} className={classes.trendChange} vectorEffect="non-scaling-stroke" />
            ))}
        </svg>
        {marks.map(({ runId, x, rate, agent, changed, verdict, confirmed }) => (
          <span
            key={runId}
            className={classes.trendDot}
            data-alarm={isConfirmed({ verdict, confirmed }) || undefined}
            style={{ left: `${x}%`, top: rate === null ? HEIGHT : up(rate) }}
            title={[agent, percent(rate === null ? null : rate / 100), ...changed].join(" · ")}
          />
        ))}
      </div>
    </div>
  );
}

function Verdict({ mark: { verdict, confirmed } }: { mark: TrendMark }) {
  if (verdict === null) return <>–</>;
  return (
    <Text size="sm" component="span">
      <VerdictBadge verdict={verdict} />
      {confirmed !== null && (confirmed ? " confirmed" : " not confirmed")}
    </Text>
  );
}

const COLUMNS: Column<TrendMark>[] = [
  {
    key: "run",
    header: "Run",
    cell: ({ runId, at, agent }) => (
      <Anchor size="sm" fw={550} renderRoot={(props) => <Link to="/admin/agent-review/evals/runs/$id" params={{ id: runId }} {...props} />}>
        {agent}, <RelativeTime value={at} />
      </Anchor>
    ),
  },
  {
    key: "rate",
    header: "Pass rate",
    cell: ({ rate, low, high }) => (
      <Text size="sm" className={classes.number}>
        {rate === null ? "–" : `${Math.round(rate)}%`}
        {low !== null && high !== null && (
          <Text span size="xs" c="dimmed">
            {` (${Math.round(low)} to ${Math.round(high)}%)`}
          </Text>
        )}
      </Text>
    ),
  },
  { key: "verdict", header: "Verdict", cell: (mark) => <Verdict mark={mark} /> },
  { key: "changed", header: "Changed", cell: ({ changed }) => <Text size="sm">{changed.join(", ") || "–"}</Text> },
];
