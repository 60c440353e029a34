/** What the addresses of evals may say; a value that cannot be used counts as not given. */
import * as v from "valibot";
import { flag } from "@/features/entities/lib/search";
import { EXPERIMENT_STATUSES } from "./experiments";
import { LICENCE_STATUSES } from "./judges";
import { MOVES, OTHER_KINDS, RUN_STATUSES, VERDICTS } from "./words";

const MAX_TEXT = 100; // the server's limit of a set's name

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

/** The router reads `?set=2026` as a number; a name is text. */
const text = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String), v.trim(), v.minLength(1), v.maxLength(MAX_TEXT));

export const TABS = ["runs", "experiments", "matrix", "trend", "judges"] as const;

export const evalsSearch = v.object({
  /** Goldens and candidates without it. */
  tab: lenient(v.picklist(TABS)),
  /** By name. */
  set: lenient(text),
  verdict: lenient(v.picklist(VERDICTS)),
  /** Of runs or of experiments; what the others do not have counts as not given. */
  status: lenient(v.picklist([...RUN_STATUSES, ...EXPERIMENT_STATUSES])),
  agent: lenient(text),
  /** Runs that compare without it: each golden has a noise floor of its own, and they would bury the rest. */
  kind: lenient(v.picklist(OTHER_KINDS)),
  /** Of the matrix: the largest fall first without it. */
  order: lenient(v.literal("listed")),
  /** Of judges. */
  licence: lenient(v.picklist(LICENCE_STATUSES)),
  /** Of experiments: a row of knowledge that they measure. */
  row: lenient(v.pipe(v.string(), v.uuid())),
  /** Whether the form for a new experiment is open. */
  new: flag,
});
export type EvalsSearch = v.InferOutput<typeof evalsSearch>;

export const labellingSearch = v.object({
  /** The sample that is being labelled; which ones wait without it. */
  sample: lenient(v.pipe(v.string(), v.uuid())),
});

export const evalRunSearch = v.object({
  change: lenient(v.picklist(MOVES)),
  /** Whose report is shown, by its place among the run's agents; that of the first without it. */
  agent: lenient(v.pipe(v.number(), v.integer(), v.minValue(0))),
});
export type EvalRunSearch = v.InferOutput<typeof evalRunSearch>;

/** What the server is asked for. */
export function runsQuery({ set, verdict, status, agent, kind }: EvalsSearch) {
  const only = kind === "all" ? {} : { kind: kind ?? ("run" as const) };
  const state = RUN_STATUSES.find((each) => each === status);
  return { ...(set ? { set } : {}), ...(verdict ? { verdict } : {}), ...(state ? { status: state } : {}), ...(agent ? { agent } : {}), ...only };
}

export function isNarrowed({ set, verdict, status, agent, kind }: EvalsSearch): boolean {
  return [set, verdict, status, agent].some((each) => each !== undefined) || (kind !== undefined && kind !== "all");
}

export function experimentsQuery({ set, status, row }: EvalsSearch) {
  const state = EXPERIMENT_STATUSES.find((each) => each === status);
  return { ...(set ? { set } : {}), ...(state ? { status: state } : {}), ...(row ? { rowId: row } : {}) };
}
