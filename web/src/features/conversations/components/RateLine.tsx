import { Text } from "@mantine/core";
import { type KeyboardEvent, type MouseEvent, useMemo } from "react";
import { ChartTip, type Pointed, pointOf } from "@/ui/chart/ChartTip";
import { TimeLine } from "@/ui/chart/TimeLine";
import { type DrawnPoint, type RatePoint, bucketFormat, pointInWords, withGaps } from "../lib/satisfaction";
import type { Bucket } from "../lib/search";
import classes from "./conversations.module.css";

/** Where a click on a point leads. */
export interface Leads {
  hrefOf: (at: number) => string;
  open: (at: number) => void;
}

interface RateLineProps extends Leads {
  points: RatePoint[];
  bucket: Bucket;
  /** The same for all charts that stand together. */
  span: [number, number];
  height: number;
}

const RATES = [0, 50, 100];

/** On a module of its own, so that the drawing library is loaded only when there is something to draw. */
export default function RateLine({ points, bucket, span, height, hrefOf, open }: RateLineProps) {
  const drawn = useMemo(() => withGaps(points, bucket), [points, bucket]);
  const openKnown = (at: number) => {
    if (points.some((point) => point.at === at)) open(at);
  };
  return (
    <TimeLine<DrawnPoint>
      points={drawn}
      value="rate"
      height={height}
      span={span}
      formatAt={bucketFormat(bucket)}
      ticks={RATES}
      unit=" %"
      curve="linear"
      withRange
      tip={<RateTip bucket={bucket} />}
      dot={<BucketLink bucket={bucket} entry={points.at(-1)?.at} hrefOf={hrefOf} open={open} />}
      onPick={openKnown}
    />
  );
}

interface BucketLinkProps extends Leads {
  bucket: Bucket;
  /** The point to which the Tab key goes. */
  entry: number | undefined;
  /** Given by the drawing library. */
  cx?: number;
  cy?: number;
  payload?: DrawnPoint;
}

/** A point that leads to its conversations; arrow keys go from one to the next. */
function BucketLink({ bucket, entry, hrefOf, open, cx, cy, payload }: BucketLinkProps) {
  if (cx === undefined || cy === undefined || !payload || payload.rate === null) return null;
  const { at } = payload;
  const click = (event: MouseEvent) => {
    event.stopPropagation(); // the chart would open it as well
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(at);
  };
  return (
    <a
      href={hrefOf(at)}
      className={classes.bucket}
      tabIndex={at === entry ? 0 : -1}
      aria-label={`${pointInWords(payload, bucket)}. Show its conversations`}
      onClick={click}
      onKeyDown={moveAmongPoints}
    >
      <circle cx={cx} cy={cy} r={12} fill="transparent" />
      <circle cx={cx} cy={cy} r={3.5} className={classes.bucketDot} />
    </a>
  );
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

function moveAmongPoints(event: KeyboardEvent<Element>): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [...(event.currentTarget.closest("svg")?.querySelectorAll<SVGElement>(`.${classes.bucket}`) ?? [])];
  all[all.findIndex((point) => point === event.currentTarget) + step]?.focus();
}

function RateTip({ bucket, ...pointed }: Pointed<DrawnPoint> & { bucket: Bucket }) {
  const point = pointOf(pointed);
  if (!point) return null;
  return (
    <ChartTip>
      <Text size="xs" c="dimmed">
        {bucketFormat(bucket, true)(point.at)}
      </Text>
      {point.rate === null ? (
        <Text size="sm">Nobody reacted</Text>
      ) : (
        <>
          <Text size="sm" fw={600}>
            {point.rate} %
          </Text>
          <Text size="xs" c="dimmed">
            {point.range[0]} to {point.range[1]} %, {point.total === 1 ? "1 reaction" : `${point.total} reactions`}
          </Text>
          <Text size="xs">Click for its conversations</Text>
        </>
      )}
    </ChartTip>
  );
}
