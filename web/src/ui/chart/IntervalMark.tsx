import { type Scale, placeOn } from "./scale";
import classes from "./chart.module.css";

const LINE = 18;
const LABELS = 18;

interface IntervalMarkProps {
  value: number;
  low: number;
  high: number;
  scale: Scale;
  /** Drawn pale: it was true of something else. */
  isPale?: boolean;
  /** How a tick is said; without it the axis has none. */
  label?: (tick: number) => string;
}

/** A figure with its interval beside zero: a dot, a bar, a line. Whoever draws it says the same in words. */
export function IntervalMark({ value, low, high, scale, isPale = false, label }: IntervalMarkProps) {
  const at = (share: number) => `${100 * Math.min(1, Math.max(0, placeOn(scale, share)))}%`;
  const y = LINE / 2;
  const look = high < 0 ? "worse" : low > 0 ? "better" : "open";
  return (
    <svg width="100%" height={label ? LINE + LABELS : LINE} className={classes.interval} data-look={look} data-pale={isPale || undefined} aria-hidden>
      <line x1="0" x2="100%" y1={y} y2={y} className={classes.intervalAxis} />
      {label &&
        scale.ticks.map((tick) => (
          <g key={tick}>
            <line x1={at(tick)} x2={at(tick)} y1={y - 3} y2={y + 3} className={classes.intervalAxis} />
            <text x={at(tick)} y={LINE + LABELS - 5} textAnchor={tick === scale.from ? "start" : tick === scale.to ? "end" : "middle"} className={classes.intervalLabel}>
              {label(tick)}
            </text>
          </g>
        ))}
      <line x1={at(0)} x2={at(0)} y1={0} y2={LINE} className={classes.intervalZero} />
      <line x1={at(low)} x2={at(high)} y1={y} y2={y} className={classes.intervalBar} />
      <circle cx={at(value)} cy={y} r={4.5} className={classes.intervalDot} />
    </svg>
  );
}
