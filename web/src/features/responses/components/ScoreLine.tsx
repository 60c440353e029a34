import { Text } from "@mantine/core";
import { ChartTip, type Pointed, pointOf } from "@/ui/chart/ChartTip";
import { TimeLine } from "@/ui/chart/TimeLine";
import { formatAbsolute } from "@/ui/time";
import { type Point, hasSpread, tickFormat } from "../lib/progression";

interface ScoreLineProps {
  points: Point[];
  height: number;
}

const SCORES = [0, 40, 70, 100]; // the ends, and where a badge changes

/** On a module of its own, so that the drawing library is loaded only when there is something to draw. */
export default function ScoreLine({ points, height }: ScoreLineProps) {
  return (
    <TimeLine
      points={points}
      value="score"
      height={height}
      formatAt={tickFormat(points)}
      ticks={SCORES}
      curve="monotone"
      withRange={hasSpread(points)}
      tip={<PointTip />}
    />
  );
}

function PointTip(pointed: Pointed<Point>) {
  const point = pointOf(pointed);
  if (!point) return null;
  const [min, max] = point.range;
  return (
    <ChartTip>
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
    </ChartTip>
  );
}
