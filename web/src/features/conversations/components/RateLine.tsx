import { Text } from "@mantine/core";
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { type RatePoint, bucketFormat } from "../lib/satisfaction";
import type { Bucket } from "../lib/search";
import classes from "./conversations.module.css";

interface RateLineProps {
  points: RatePoint[];
  bucket: Bucket;
  /** The ends of the axis in milliseconds, the same for all charts that stand together. */
  span: [number, number];
  height: number;
}

const TICK = { fill: "var(--mantine-color-dimmed)", fontSize: 11 };

/** On a module of its own, so that the drawing library is loaded only when there is something to draw. */
export default function RateLine({ points, bucket, span, height }: RateLineProps) {
  const format = bucketFormat(bucket);
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart data={points} margin={{ top: 6, right: 12, bottom: 0, left: -14 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--gl-line)" />
        <XAxis
          dataKey="at"
          type="number"
          scale="time"
          domain={span}
          tickFormatter={format}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: "var(--gl-line)" }}
          minTickGap={48}
        />
        <YAxis
          domain={[0, 100]}
          ticks={[0, 50, 100]}
          tickFormatter={(rate: number) => `${rate} %`}
          tick={TICK}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          content={<RateTip bucket={bucket} />}
          isAnimationActive={false}
          cursor={{ stroke: "var(--gl-accent)", strokeDasharray: "3 3" }}
        />
        <Area
          dataKey="range"
          type="linear"
          stroke="none"
          fill="var(--gl-accent)"
          fillOpacity={0.18}
          isAnimationActive={false}
          activeDot={false}
        />
        <Line
          dataKey="rate"
          type="linear"
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

interface RateTipProps {
  bucket: Bucket;
  active?: boolean;
  payload?: readonly { payload?: RatePoint }[];
}

function RateTip({ bucket, active, payload }: RateTipProps) {
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  const [low, high] = point.range;
  return (
    <div className={classes.tip}>
      <Text size="xs" c="dimmed">
        {bucketFormat(bucket, true)(point.at)}
      </Text>
      <Text size="sm" fw={600}>
        {point.rate} %
      </Text>
      <Text size="xs" c="dimmed">
        {low} to {high} %, {point.total === 1 ? "1 reaction" : `${point.total} reactions`}
      </Text>
    </div>
  );
}
