import type { ReactElement, SVGProps } from "react";
import { Area, CartesianGrid, ComposedChart, ErrorBar, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

interface TimePoint {
  /** Milliseconds, so that the axis keeps the distances in time. */
  at: number;
  /** Null where there is nothing: the line and the range stop there. */
  range: [number, number] | null;
  /** Nothing stands before and after it, so its range is drawn as a bar. */
  alone?: boolean;
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
  /** Drawn at each point; given its place and the point as `payload`. */
  dot?: ReactElement<SVGProps<SVGElement>>;
  /** A click by mouse anywhere above or below a point. */
  onPick?: (at: number) => void;
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
  dot,
  onPick,
}: TimeLineProps<Point>) {
  // Of the point, how far the range reaches down and up.
  const reach = (point: Point) => {
    const middle = point[value];
    return point.alone && point.range && typeof middle === "number" ? [middle - point.range[0], point.range[1] - middle] : null;
  };
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart
        data={points}
        margin={{ top: 6, right: 12, bottom: 0, left: unit ? -14 : -18 }}
        accessibilityLayer={false}
        {...(onPick
          ? {
              style: { cursor: "pointer" },
              onClick: ({ activeLabel }, event) => {
                // A finger looks first: it opens by the point itself.
                const isTouch = (event.nativeEvent as PointerEvent).pointerType === "touch";
                if (activeLabel !== undefined && !isTouch) onPick(Number(activeLabel));
              },
            }
          : {})}
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
          dot={dot ?? { r: 3, fill: "var(--mantine-color-body)", strokeWidth: 2 }}
          activeDot={{ r: 5, fill: "var(--gl-accent)", stroke: "var(--mantine-color-body)" }}
          isAnimationActive={false}
        >
          {withRange && (
            <ErrorBar dataKey={reach} width={5} stroke="var(--gl-accent)" strokeOpacity={0.5} isAnimationActive={false} />
          )}
        </Line>
      </ComposedChart>
    </ResponsiveContainer>
  );
}
