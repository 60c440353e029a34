import { Text } from "@mantine/core";
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatAbsolute } from "@/ui/time";
import { type Point, hasSpread, tickFormat } from "../lib/progression";
import classes from "./responses.module.css";

interface ScoreLineProps {
  points: Point[];
  height: number;
}

const TICK = { fill: "var(--mantine-color-dimmed)", fontSize: 11 };
const SCORES = [0, 40, 70, 100]; // the ends, and where a badge changes

/** On a module of its own, so that the drawing library is loaded only when there is something to draw. */
export default function ScoreLine({ points, height }: ScoreLineProps) {
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart data={points} margin={{ top: 6, right: 12, bottom: 0, left: -18 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--gl-line)" />
        <XAxis
          dataKey="at"
          type="number"
          scale="time"
          domain={["dataMin", "dataMax"]}
          tickFormatter={tickFormat(points)}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: "var(--gl-line)" }}
          minTickGap={48}
        />
        <YAxis domain={[0, 100]} ticks={SCORES} tick={TICK} tickLine={false} axisLine={false} />
        <Tooltip
          content={<PointTip />}
          isAnimationActive={false}
          cursor={{ stroke: "var(--gl-accent)", strokeDasharray: "3 3" }}
        />
        {hasSpread(points) && (
          <Area
            dataKey="range"
            type="monotone"
            stroke="none"
            fill="var(--gl-accent)"
            fillOpacity={0.18}
            isAnimationActive={false}
            activeDot={false}
          />
        )}
        <Line
          dataKey="score"
          type="monotone"
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

interface PointTipProps {
  active?: boolean;
  payload?: readonly { payload?: Point }[];
}

function PointTip({ active, payload }: PointTipProps) {
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  const [min, max] = point.range;
  return (
    <div className={classes.tip}>
      <Text size="xs" c="dimmed">
        {formatAbsolute(new Date(point.at).toISOString())}
      </Text>
      <Text size="sm" fw={600}>
        {point.score} of 100
      </Text>
      {point.count > 1 && (
        <Text size="xs" c="dimmed">
          {point.count} responses, {min} to {max}
        </Text>
      )}
    </div>
  );
}
