/** What things of evals are called and how they look. Each has words and a shape of its own: colour alone says nothing. */
import type { EvalRun, Golden, GoldenReport, ReplayOutcome } from "@/api/types";

export type Verdict = NonNullable<EvalRun["verdict"]>;
export type NoiseFloor = NonNullable<Golden["floor"]>;
export type GoldenMove = GoldenReport["change"];
export type EffectsRule = Golden["effects"];
export type ReplayMode = EvalRun["mode"];
export type RunContext = EvalRun["context"];
/** What whoever begins a run may ask for. */
export type AskedContext = Exclude<RunContext, "drawn">;
export type RunStatus = EvalRun["status"];
export type RunKind = EvalRun["kind"];

interface Look {
  label: string;
  color: string;
  means: string;
}

export const VERDICTS = ["regression", "improvement", "no worse", "inconclusive"] as const satisfies readonly Verdict[];
export const VERDICT_LOOK: Record<Verdict, Look & { sign: string }> = {
  regression: { label: "Regression", color: "red", sign: "▼", means: "All of the interval lies below zero: it does worse on these goldens" },
  improvement: { label: "Improvement", color: "green", sign: "▲", means: "All of the interval lies above zero: it does better on these goldens" },
  "no worse": { label: "No worse", color: "green", sign: "=", means: "It does worse by less than the margin, if at all" },
  inconclusive: { label: "Inconclusive", color: "gray", sign: "?", means: "So few replays cannot tell: it may be better or worse" },
};

export const FLOOR_LOOK: Record<NoiseFloor | "none", Look & { sign: string }> = {
  stable: { label: "Stable", color: "green", sign: "●", means: "Every unchanged replay passes" },
  flaky: { label: "Flaky", color: "orange", sign: "◐", means: "Some unchanged replays fail: its runs differ by chance" },
  broken: { label: "Broken", color: "red", sign: "○", means: "No unchanged replay passes: it is kept out of verdicts" },
  none: { label: "Not measured", color: "gray", sign: "–", means: "Nobody has replayed it unchanged yet" },
};

/** In the order in which a person looks at them. */
export const MOVES = [
  "hard_break",
  "improved",
  "flipped",
  "unchanged",
  "inconclusive",
  "error",
  "missing",
  "quarantined",
] as const satisfies readonly GoldenMove[];
export const MOVE_LOOK: Record<GoldenMove, Look> = {
  hard_break: { label: "Hard break", color: "red", means: "It always passed with the baseline, and never does now" },
  improved: { label: "Improved", color: "green", means: "It never passed with the baseline, and always does now" },
  flipped: { label: "Flipped", color: "orange", means: "Some repeats differ; so few of them are often chance" },
  unchanged: { label: "Unchanged", color: "gray", means: "As with the baseline" },
  inconclusive: { label: "Inconclusive", color: "gray", means: "Its replays asked for something that no recording answers" },
  error: { label: "Error", color: "gray", means: "The infrastructure failed, not the agent" },
  missing: { label: "Missing", color: "gray", means: "It has no replay in this run: a missing golden is not a passing one" },
  quarantined: { label: "Quarantined", color: "gray", means: "No unchanged replay of it passes, so it does not count" },
};

export const OUTCOMES = ["passed", "failed", "inconclusive", "error"] as const satisfies readonly ReplayOutcome[];
export const OUTCOME_LOOK: Record<ReplayOutcome, Look> = {
  passed: { label: "Passed", color: "green", means: "It did what the golden did" },
  failed: { label: "Failed", color: "red", means: "It did something else" },
  inconclusive: { label: "Inconclusive", color: "gray", means: "It failed, and asked for something that no recording answers" },
  error: { label: "Error", color: "orange", means: "The infrastructure failed, not the agent: it does not count" },
};

export const EFFECTS = ["exact", "contains", "off"] as const satisfies readonly EffectsRule[];
export const EFFECTS_LOOK: Record<EffectsRule, { label: string; means: string }> = {
  exact: { label: "Exact", means: "A replay must change exactly what the golden changed, with the same arguments." },
  contains: { label: "Contains", means: "A replay must change what the golden changed, and may change more: for goals that many ways lead to." },
  off: { label: "Off", means: "What a replay changes decides nothing; the required facts do." },
};

export const MODES = ["hybrid", "frozen", "live"] as const satisfies readonly ReplayMode[];
/** Why a run did not do all that it was asked to. */
export const STOPPED_WORDS: Partial<Record<string, string>> = {
  cancelled: "Somebody cancelled it.",
  cost_limit: "What is left would cost more than its limit.",
  cost_unknown: "It has a limit, and its replays do not know what they cost.",
  token_budget_spent: "The workspace has used the tokens of today.",
  cost_budget_spent: "The workspace has reached the cost of today.",
  storage_full: "The workspace stores as much as it may.",
};

export const MODE_LOOK: Record<ReplayMode, { label: string; means: string }> = {
  hybrid: { label: "Hybrid", means: "Recorded answers first; reads that were never recorded see the workspace as it is, writes are tried and rolled back." },
  frozen: { label: "Frozen", means: "Recorded answers alone: whatever was never asked before has no answer." },
  live: { label: "Live", means: "Reads see the workspace as it is now; writes are tried and rolled back." },
};

export const CONTEXTS = ["snapshot", "live"] as const satisfies readonly AskedContext[];
export const CONTEXT_LOOK: Record<RunContext, { label: string; means: string }> = {
  snapshot: { label: "As it was", means: "With the knowledge that was in the golden's prompt" },
  live: { label: "As it is now", means: "With the knowledge that prompts have now" },
  drawn: { label: "Drawn by lot", means: "Each replay with a part of the knowledge that applies, drawn by lot" },
};

export const RUN_STATUSES = ["running", "completed", "cancelled"] as const satisfies readonly RunStatus[];
export const RUN_STATUS_LOOK: Record<RunStatus, { label: string; color: string }> = {
  running: { label: "Running", color: "gold" },
  completed: { label: "Completed", color: "gray" },
  cancelled: { label: "Cancelled", color: "gray" },
};

export const KIND_LOOK: Record<RunKind, { label: string; means: string }> = {
  run: { label: "Run", means: "Replays compared with a baseline" },
  floor: { label: "Noise floor", means: "Unchanged replays of new goldens" },
  confirmation: { label: "Confirmation", means: "Fresh repeats after an alarm" },
  experiment: { label: "Experiment", means: "Replays that show what knowledge is worth" },
};

/** What a list of runs may have instead of those that compare. */
export const OTHER_KINDS = ["floor", "confirmation", "all"] as const;
export const KINDS_LABEL: Record<(typeof OTHER_KINDS)[number], string> = { floor: "Noise floors", confirmation: "Confirmations", all: "All kinds" };

/** Where the answer to a tool call of a replay came from. */
export const SOURCES = ["tape", "sibling", "live", "dry", "miss"] as const;
export type AnswerSource = (typeof SOURCES)[number];
export const SOURCE_LOOK: Record<AnswerSource, Look> = {
  tape: { label: "Tape", color: "gray", means: "As it was recorded in the golden" },
  sibling: { label: "Sibling", color: "blue", means: "As another session recorded it" },
  live: { label: "Live", color: "blue", means: "Read from the workspace as it is now" },
  dry: { label: "Dry run", color: "gold", means: "Tried for real and rolled back: nothing was changed" },
  miss: { label: "Miss", color: "red", means: "No recording answers it" },
};

export function isSource(value: unknown): value is AnswerSource {
  return (SOURCES as readonly unknown[]).includes(value);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
