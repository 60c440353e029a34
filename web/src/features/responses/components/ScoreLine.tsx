import { Text } from "@mantine/core";
import { CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatScore } from "@/features/entities/lib/score";
import { ChartTip, type Pointed, pointOf } from "@/ui/chart/ChartTip";
import { formatAbsolute } from "@/ui/time";
import { type Progression, type Row, type Series, tickFormat } from "../lib/progression";
import { MEDIAN_COLOR, ScoreMark, colorOf } from "./ScoreMark";

interface ScoreLineProps {
  progression: Progression;
  height: number;
}

const SCORES = [0, 40, 70, 100]; // the ends, and where a badge changes
const TICK = { fill: "var(--mantine-color-dimmed)", fontSize: 11 };

/** On a module of its own, so that the drawing library is loaded only when there is something to draw. */
export default function ScoreLine({ progression: { isTemporal, series, rows, latest }, height }: ScoreLineProps) {
  const times = rows.map(({ x }) => Number(x));
  const formatAt = tickFormat(times[0] ?? 0, times[times.length - 1] ?? 0);
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart data={rows} margin={{ top: 8, right: 14, bottom: 0, left: -18 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--gl-line)" />
        <XAxis
          dataKey="x"
          {...(isTemporal
            ? { type: "category" as const, padding: { left: 16, right: 16 } }
            : { type: "number" as const, scale: "time" as const, domain: ["dataMin", "dataMax"], tickFormatter: formatAt })}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: "var(--gl-line)" }}
          minTickGap={isTemporal ? 8 : 48}
        />
        <YAxis domain={[0, 100]} ticks={SCORES} tick={TICK} tickLine={false} axisLine={false} />
        <Tooltip
          content={<RowTip series={series} isTemporal={isTemporal} />}
          isAnimationActive={false}
          cursor={{ stroke: "var(--gl-accent)", strokeDasharray: "3 3" }}
        />
        {series.map(({ key, name, hasLine }, place) => (
          <Line
            key={key}
            name={name}
            dataKey={(row: Row) => row.scores[key]}
            type="linear"
            connectNulls
            stroke={hasLine ? colorOf(place, hasLine) : "none"}
            strokeWidth={1.75}
            dot={({ cx, cy, value, index }: { cx?: number; cy?: number; value?: unknown; index?: number }) =>
              typeof cx === "number" && typeof cy === "number" && value !== undefined && value !== null ? (
                <ScoreMark key={index} place={place} hasLine={hasLine} cx={cx} cy={cy} />
              ) : (
                <g key={index} />
              )
            }
            activeDot={false}
            isAnimationActive={false}
          />
        ))}
        {latest.length > 1 && (
          <Line
            name="Median"
            dataKey="median"
            type={isTemporal ? "linear" : "stepAfter"}
            stroke={MEDIAN_COLOR}
            strokeWidth={1.5}
            strokeDasharray="5 4"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

interface RowTipProps extends Pointed<Row> {
  series: readonly Series[];
  isTemporal: boolean;
}

function RowTip({ series, isTemporal, ...pointed }: RowTipProps) {
  const row = pointOf(pointed);
  if (!row) return null;
  const given = series.filter(({ key }) => row.scores[key] !== undefined);
  return (
    <ChartTip>
      <Text size="xs" c="dimmed">
        {isTemporal ? row.x : formatAbsolute(new Date(row.x).toISOString())}
      </Text>
      {given.map(({ key, name }) => (
        <Text key={key} size="sm">
          {row.who ?? name}:{" "}
          <Text span fw={600}>
            {formatScore(row.scores[key] ?? null)}
          </Text>
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        Median {formatScore(row.median)}
      </Text>
    </ChartTip>
  );
}
