import type { ReactElement } from "react";
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

interface TimePoint {
  /** Milliseconds, so that the axis keeps the distances in time. */
  at: number;
  range: [number, number];
}

interface TimeLineProps<Point extends TimePoint> {
  points: Point[];
  /** Which of a point's numbers is drawn; it and the range are of 100. */
  value: keyof Point & string;
  height: number;
  /** The ends of the axis in milliseconds; those of the points without it. */
  span?: [number, number];
  formatAt: (at: number) => string;
  ticks: number[];
  unit?: string;
  curve: "linear" | "monotone";
  withRange: boolean;
  tip: ReactElement;
}

const TICK = { fill: "var(--mantine-color-dimmed)", fontSize: 11 };

/** A value over time with the range around it. Load it lazily: the drawing library comes along. */
export function TimeLine<Point extends TimePoint>({
  points,
  value,
  height,
  span,
  formatAt,
  ticks,
  unit = "",
  curve,
  withRange,
  tip,
}: TimeLineProps<Point>) {
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart
        data={points}
        margin={{ top: 6, right: 12, bottom: 0, left: unit ? -14 : -18 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--gl-line)" />
        <XAxis
          dataKey="at"
          type="number"
          scale="time"
          domain={span ?? ["dataMin", "dataMax"]}
          tickFormatter={formatAt}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: "var(--gl-line)" }}
          minTickGap={48}
        />
        <YAxis
          domain={[0, 100]}
          ticks={ticks}
          tickFormatter={(of100: number) => `${of100}${unit}`}
          tick={TICK}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          content={tip}
          isAnimationActive={false}
          cursor={{ stroke: "var(--gl-accent)", strokeDasharray: "3 3" }}
        />
        {withRange && (
          <Area
            dataKey="range"
            type={curve}
            stroke="none"
            fill="var(--gl-accent)"
            fillOpacity={0.18}
            isAnimationActive={false}
            activeDot={false}
          />
        )}
        <Line
          dataKey={value}
          type={curve}
          stroke="var(--gl-accent)"
          strokeWidth={2}
          dot={{ r: 3, fill: "var(--mantine-color-body)", strokeWidth: 2 }}
          activeDot={{ r: 5, fill: "var(--gl-accent)", stroke: "var(--mantine-color-body)" }}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}
