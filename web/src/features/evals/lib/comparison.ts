/** The comparison of a replay, read with care: the server keeps it as JSON. Pure. */
import * as v from "valibot";
import type { DiffRow } from "./align";

const maybe = <const S extends v.GenericSchema>(schema: S) => v.fallback(v.nullable(schema), null);
const text = maybe(v.string());
const number = maybe(v.number());

const Divergence = v.object({
  kind: v.string(),
  message: v.fallback(v.string(), ""),
  tool: v.optional(text, null),
  path: v.optional(text, null),
  golden: v.optional(v.unknown()),
  replay: v.optional(v.unknown()),
  golden_event: v.optional(number, null),
  replay_event: v.optional(number, null),
});
export type Divergence = v.InferOutput<typeof Divergence>;

const Dimension = v.object({
  score: number,
  passed: maybe(v.boolean()),
  weight: v.fallback(v.number(), 0),
  reason: v.fallback(v.string(), ""),
  required: v.optional(v.fallback(v.boolean(), false), false),
});
export type ComparedDimension = v.InferOutput<typeof Dimension>;

const Comparison = v.object({
  dimensions: v.fallback(v.record(v.string(), Dimension), {}),
  overall_accuracy: number,
  divergences: v.fallback(v.array(Divergence), []),
  passed: v.fallback(v.boolean(), false),
  alternative: v.optional(number, null),
});
export type Comparison = v.InferOutput<typeof Comparison>;

/** Null where there is none, or nothing that can be read. */
export function readComparison(value: unknown): Comparison | null {
  const parsed = v.safeParse(Comparison, value);
  return parsed.success ? parsed.output : null;
}

/** In the order in which a person wants to know of them. */
const GROUPS: readonly { heading: string; kinds: readonly string[] }[] = [
  { heading: "End", kinds: ["not_completed"] },
  { heading: "Effects", kinds: ["missing_write", "unexpected_write", "wrong_write_argument"] },
  { heading: "Facts", kinds: ["missing_fact"] },
  { heading: "Output", kinds: ["wrong_value", "wrong_output"] },
  { heading: "Tools", kinds: ["missing_tool", "extra_tool"] },
  { heading: "Text", kinds: ["text"] },
];

export const DIVERGENCE_LABEL: Readonly<Record<string, string>> = {
  not_completed: "Not completed",
  missing_write: "Missing",
  unexpected_write: "Unexpected",
  wrong_write_argument: "Changed argument",
  missing_fact: "Missing fact",
  wrong_value: "Other value",
  wrong_output: "Other output",
  missing_tool: "Tool not called",
  extra_tool: "Tool not in the golden",
  text: "Other words",
};

export interface DivergenceGroup {
  heading: string;
  divergences: Divergence[];
}

/** Those that there are; a kind that is not known here stands at the end. */
export function groupDivergences(divergences: readonly Divergence[]): DivergenceGroup[] {
  const known = GROUPS.flatMap(({ kinds }) => kinds);
  const others = divergences.filter(({ kind }) => !known.includes(kind));
  return [
    ...GROUPS.map(({ heading, kinds }) => ({ heading, divergences: divergences.filter(({ kind }) => kinds.includes(kind)) })),
    { heading: "Others", divergences: others },
  ].filter((group) => group.divergences.length > 0);
}

/** The divergences of each row, by the events that they name: these count from 0, `seq` from 1. */
export function divergencesOfRows(rows: readonly DiffRow[], divergences: readonly Divergence[]): Divergence[][] {
  return rows.map(({ golden, replay }) =>
    divergences.filter(
      ({ golden_event, replay_event }) =>
        (golden !== null && golden_event !== null && golden.seqs.includes(golden_event + 1)) ||
        (replay !== null && replay_event !== null && replay.seqs.includes(replay_event + 1)),
    ),
  );
}

/** The place after `from` that is marked, round to the first one; null where none is. Backwards with a step of -1. */
export function nextMarked(marked: readonly boolean[], from: number | null, step: 1 | -1 = 1): number | null {
  const count = marked.length;
  const start = from ?? (step === 1 ? -1 : count);
  for (let distance = 1; distance <= count; distance += 1) {
    const place = (((start + step * distance) % count) + count) % count;
    if (marked[place]) return place;
  }
  return null;
}
