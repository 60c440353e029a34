/** When a session's models and tools were at work: bars on one scale of time, on which long rests are cut short. Pure. */
import type { ModelStep, Step, ToolStep } from "./steps";
import { tookMs } from "./steps";

export interface Bar {
  step: ToolStep | ModelStep;
  depth: number;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  /** Not over yet. */
  isOpen: boolean;
}

/** Where a rest was cut short. */
export interface Rest {
  start: number;
  end: number;
}

export interface Timeline {
  bars: Bar[];
  rests: Rest[];
  start: number;
  end: number;
}

const REST_SHARE = 0.25; // of all time at work: a rest that is longer would leave no room for the work
const REST_SHOWN = 0.04; // of all time at work: what such a rest is drawn as
const SHORTEST_REST = 2000; // milliseconds; less is never cut

/** `now` is where what is under way ends: the present while the session runs, else its last event. */
export function buildTimeline(steps: readonly Step[], now: number, isRunning: boolean): Timeline {
  const bars = collect(steps, 0, now, isRunning);
  const start = Math.min(...bars.map((bar) => bar.start));
  const end = Math.max(...bars.map((bar) => bar.end));
  if (bars.length === 0) return { bars, rests: [], start: now, end: now };
  return { bars, rests: findRests(bars), start, end };
}

function collect(steps: readonly Step[], depth: number, now: number, isRunning: boolean): Bar[] {
  return steps.flatMap((step) => {
    if (step.kind !== "tool" && step.kind !== "model") return [];
    const own = Math.max(depth, step.depth);
    const inner = step.kind === "tool" ? collect(step.steps, own + 1, now, isRunning) : [];
    return [{ step, depth: own, ...span(step, now, isRunning) }, ...inner];
  });
}

function span(step: ToolStep | ModelStep, now: number, isRunning: boolean): Pick<Bar, "start" | "end" | "isOpen"> {
  const [first, last] = step.kind === "tool" ? [step.call, step.result] : [step.request, step.response];
  const took = tookMs(step);
  if (first === null && last !== null) {
    const end = Date.parse(last.at);
    return { start: end - (took ?? 0), end, isOpen: false };
  }
  const start = Date.parse((first ?? step).at);
  // What waits for a person is not at work.
  if (step.kind === "tool" && step.asked) return { start, end: Math.max(start, Date.parse(step.asked.at)), isOpen: false };
  if (took !== null) return { start, end: start + took, isOpen: false };
  // A model's answer is seldom recorded by itself: then nobody knows how long it took.
  const isOpen = isRunning && step.kind === "tool";
  return { start, end: isOpen ? Math.max(start, now) : start, isOpen };
}

/** Stretches in which nothing was at work, where they are long beside the work. */
function findRests(bars: readonly Bar[]): Rest[] {
  const ordered = [...bars].sort((one, other) => one.start - other.start);
  const gaps: Rest[] = [];
  let busy = 0;
  let until = ordered[0]?.start ?? 0;
  for (const { start, end } of ordered) {
    if (start > until) gaps.push({ start: until, end: start });
    busy += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  const longest = Math.max(SHORTEST_REST, busy * REST_SHARE);
  return gaps.filter(({ start, end }) => end - start > longest);
}

/** The place of a moment, from 0 at the beginning to 1 at the end. */
export function makeScale({ bars, rests, start, end }: Timeline): (moment: number) => number {
  const rested = rests.reduce((sum, rest) => sum + rest.end - rest.start, 0);
  const worked = Math.max(1, end - start - rested);
  const shown = bars.length > 0 ? worked * REST_SHOWN : 0;
  const whole = worked + shown * rests.length;
  return (moment) => {
    let place = moment - start;
    for (const rest of rests) {
      if (moment <= rest.start) break;
      const within = Math.min(moment, rest.end) - rest.start;
      place -= within - shown * (within / (rest.end - rest.start));
    }
    return Math.min(1, Math.max(0, place / whole));
  };
}

const STEPS_OF_TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000];
const MOST_TICKS = 6; // that have room beside each other

/** Round moments after the start, in milliseconds; none where time is cut, for they would lie. */
export function ticksOf({ start, end, rests }: Timeline): number[] {
  if (rests.length > 0) return [];
  const whole = end - start;
  const step = STEPS_OF_TICKS.find((each) => whole / each <= MOST_TICKS) ?? Math.ceil(whole / MOST_TICKS);
  return Array.from({ length: Math.floor(whole / step) + 1 }, (_, place) => place * step);
}

/** Whether its length is what it took: of many models only that they were asked is recorded. */
export function isMeasured({ step, isOpen }: Bar): boolean {
  return isOpen || tookMs(step) !== null || (step.kind === "tool" && step.asked !== null);
}

/** Milliseconds; null where something was at work and nobody knows for how long. */
export interface TimeSpent {
  model: number | null;
  tool: number | null;
}

/** How long models and tools were at work; a call of a sub-agent counts by what that did, not twice. */
export function timeSpent(bars: readonly Bar[]): TimeSpent {
  const spent = { model: 0, tool: 0 };
  const known = { model: true, tool: true };
  for (const bar of bars) {
    const { step, start, end } = bar;
    if (step.kind === "tool" && step.steps.length > 0) continue;
    spent[step.kind] += end - start;
    if (!isMeasured(bar)) known[step.kind] = false;
  }
  return { model: known.model ? spent.model : spent.model || null, tool: known.tool ? spent.tool : spent.tool || null };
}
