import { Text } from "@mantine/core";
import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useMemo, useRef } from "react";
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
  // The drawing library makes all points anew when the chart's size or data change; the focus stays with its bucket.
  const focused = useRef<number | undefined>(undefined);
  const focus = {
    isAt: (at: number) => focused.current === at,
    moveTo: (at: number | undefined) => {
      focused.current = at;
    },
  };
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
      dot={<BucketLink bucket={bucket} entry={points.at(-1)?.at} focus={focus} hrefOf={hrefOf} open={open} />}
      onPick={openKnown}
    />
  );
}

interface BucketLinkProps extends Leads {
  bucket: Bucket;
  /** The point to which the Tab key goes. */
  entry: number | undefined;
  focus: { isAt: (at: number) => boolean; moveTo: (at: number | undefined) => void };
  /** Given by the drawing library. */
  cx?: number;
  cy?: number;
  payload?: DrawnPoint;
}

/** A point that leads to its conversations; arrow keys go from one to the next. */
function BucketLink({ bucket, entry, focus, hrefOf, open, cx, cy, payload }: BucketLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    if (payload && focus.isAt(payload.at) && document.activeElement === document.body) link.current?.focus({ preventScroll: true });
  });
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
      ref={link}
      href={hrefOf(at)}
      className={classes.bucket}
      tabIndex={at === entry ? 0 : -1}
      aria-label={`${pointInWords(payload, bucket)}. Show its conversations`}
      onClick={click}
      onFocus={() => focus.moveTo(at)}
      onBlur={() => focus.moveTo(undefined)}
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
