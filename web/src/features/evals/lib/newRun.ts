/** A run as a form has it, and what is sent of it. Pure. */
import type { EvalRun, NewGoldenReplay, NewSetRun } from "@/api/types";
import type { AskedContext, ReplayMode } from "./words";

/** An agent by its slug; "" is that of the goldens. A version of 0 is the newest. */
export interface ChosenAgent {
  agent: string;
  version: number;
}

/** With whom it is compared: the goldens' agent as it was, nobody, or one that is named. */
export type BaselineKind = "floor" | "none" | "named";

export interface RunDraft {
  agents: ChosenAgent[];
  baselineKind: BaselineKind;
  baseline: ChosenAgent;
  repeats: number | "";
  mode: ReplayMode;
  context: AskedContext;
  /** In points of 100. */
  margin: number | "";
  /** In dollars; "" is no limit. */
  maxCost: number | "";
  [key: string]: unknown;
}

export const OWN_AGENT: ChosenAgent = { agent: "", version: 0 };

export function runDraft(repeats: number): RunDraft {
  return {
    agents: [OWN_AGENT],
    baselineKind: "floor",
    baseline: OWN_AGENT,
    repeats,
    mode: "hybrid",
    context: "snapshot",
    margin: 5,
    maxCost: "",
  };
}

/** The same once more: the agents, the baseline and everything else as the run had them. */
export function draftOfRun({ agents, baseline, repeats, mode, context, margin, maxCost }: EvalRun): RunDraft {
  return {
    agents: agents.map(({ slug, version }) => ({ agent: slug, version })),
    baselineKind: baseline === null ? "none" : "named",
    baseline: baseline === null ? OWN_AGENT : { agent: baseline.slug, version: baseline.version },
    repeats,
    mode,
    context: context === "drawn" ? "live" : context,
    margin: Math.round(margin * 1000) / 10,
    maxCost: maxCost ?? "",
  };
}

/** Null while something is missing. */
export function sharedOf(draft: RunDraft) {
  if (draft.repeats === "" || draft.margin === "") return null;
  if (draft.baselineKind === "named" && draft.baseline.agent === "") return null;
  if (draft.agents.length > 1 && draft.agents.some(({ agent }) => agent === "")) return null;
  const baseline = draft.baselineKind === "none" ? ("none" as const) : draft.baselineKind === "named" ? named(draft.baseline) : null;
  return {
    ...(baseline === null ? {} : { baseline }),
    repeats: draft.repeats,
    mode: draft.mode,
    context: draft.context,
    margin: draft.margin / 100,
    ...(draft.maxCost === "" ? {} : { maxCost: draft.maxCost }),
  };
}

export function setRunOf(setName: string, draft: RunDraft): NewSetRun | null {
  const shared = sharedOf(draft);
  return shared && { setName, dryRun: false, agents: draft.agents.filter(({ agent }) => agent !== "").map(named), ...shared };
}

export function replayOf(goldenSessionId: string, draft: RunDraft): NewGoldenReplay | null {
  const shared = sharedOf(draft);
  const [first] = draft.agents;
  return shared && { goldenSessionId, dryRun: false, ...(first && first.agent !== "" ? named(first) : {}), ...shared };
}

function named({ agent, version }: ChosenAgent) {
  return { agent, ...(version === 0 ? {} : { version }) };
}
