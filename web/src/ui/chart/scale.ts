/** Where shares stand on a line. Pure. */
export interface Scale {
  /** The ends of the axis, in shares. */
  from: number;
  to: number;
  ticks: number[];
}

const STEPS = [0.02, 0.05, 0.1, 0.25, 0.5]; // between two ticks
const MOST_TICKS = 7; // also on a phone

/** All of these are in sight with a little room, but nothing beyond the whole; the ends are ticks. */
export function scaleOf(values: readonly number[]): Scale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = STEPS.find((each) => Math.ceil(most / each) - Math.floor(least / each) < MOST_TICKS) ?? 0.5;
  const first = Math.max(Math.floor(least / step - 1e-9), Math.round(-1 / step));
  const last = Math.min(Math.ceil(most / step + 1e-9), Math.round(1 / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => tidy((first + place) * step));
  return { from: ticks[0] ?? 0, to: ticks.at(-1) ?? 0, ticks };
}

/** How far to the right, between 0 and 1. */
export function placeOn({ from, to }: Pick<Scale, "from" | "to">, value: number): number {
  return to === from ? 0.5 : (value - from) / (to - from);
}

function tidy(value: number): number {
  const rounded = Math.round(value * 1000) / 1000;
  return rounded === 0 ? 0 : rounded; // never -0
}
