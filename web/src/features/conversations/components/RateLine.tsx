import { Text } from "@mantine/core";
import { ChartTip, type Pointed, pointOf } from "@/ui/chart/ChartTip";
import { TimeLine } from "@/ui/chart/TimeLine";
import { type RatePoint, bucketFormat } from "../lib/satisfaction";
import type { Bucket } from "../lib/search";

interface RateLineProps {
  points: RatePoint[];
  bucket: Bucket;
  /** The same for all charts that stand together. */
  span: [number, number];
  height: number;
}

const RATES = [0, 50, 100];

/** On a module of its own, so that the drawing library is loaded only when there is something to draw. */
export default function RateLine({ points, bucket, span, height }: RateLineProps) {
  return (
    <TimeLine
      points={points}
      value="rate"
      height={height}
      span={span}
      formatAt={bucketFormat(bucket)}
      ticks={RATES}
      unit=" %"
      curve="linear"
      withRange
      tip={<RateTip bucket={bucket} />}
    />
  );
}

function RateTip({ bucket, ...pointed }: Pointed<RatePoint> & { bucket: Bucket }) {
  const point = pointOf(pointed);
  if (!point) return null;
  const [low, high] = point.range;
  return (
    <ChartTip>
      <Text size="xs" c="dimmed">
        {bucketFormat(bucket, true)(point.at)}
      </Text>
      <Text size="sm" fw={600}>
        {point.rate} %
      </Text>
      <Text size="xs" c="dimmed">
        {low} to {high} %, {point.total === 1 ? "1 reaction" : `${point.total} reactions`}
      </Text>
    </ChartTip>
  );
}
