/** What an experiment on knowledge is called, what it came to and what one would take, in words. Pure. */
import type { Experiment, ExperimentDetail, ExperimentForecast, ExperimentRow, NewExperiment, PairedEvidence } from "@/api/types";
import { type Figure, figureOf } from "@/features/knowledge/lib/value";
import type { ChosenAgent } from "./newRun";
import { dollars } from "./numbers";
import { type ReplayMode, plural } from "./words";

export type ExperimentStatus = Experiment["status"];
export type Design = Experiment["design"];

export const EXPERIMENT_STATUSES = ["screening", "confirming", "completed", "cancelled"] as const satisfies readonly ExperimentStatus[];
export const EXPERIMENT_LOOK: Record<ExperimentStatus, { label: string; color: string; means: string }> = {
  screening: { label: "Measuring", color: "gold", means: "All rows are measured together" },
  confirming: { label: "Confirming", color: "gold", means: "Rows are tried one at a time, with and without" },
  completed: { label: "Completed", color: "gray", means: "What it found stands on the rows" },
  cancelled: { label: "Cancelled", color: "gray", means: "It was stopped, and gave no row a value" },
};

export function isOver({ status }: Pick<Experiment, "status">): boolean {
  return status === "completed" || status === "cancelled";
}

/** As the row's own page has it. */
export function pairedOf(pairs: ExperimentRow["guard"]): PairedEvidence | null {
  return pairs && { goldens: pairs.goldens, pairs: pairs.pairs, wins: pairs.wins, losses: pairs.losses, lost_with: pairs.lostWith, lost_without: pairs.lostWithout, e_helps: pairs.eHelps, e_harms: pairs.eHarms };
}

const LABELS_FIRST = ["harmful", "measured", "flagged", "no effect found", "unmeasured", null] as const satisfies readonly ExperimentRow["label"][];

/** What speaks most clearly first: harm, then help, then the rest by how little chance explains it. */
export function byEvidence(rows: readonly ExperimentRow[]): ExperimentRow[] {
  return rows.toSorted(
    (one, other) =>
      LABELS_FIRST.indexOf(one.label) - LABELS_FIRST.indexOf(other.label) ||
      Number(other.confirmed) - Number(one.confirmed) ||
      (one.adjustedP ?? 1) - (other.adjustedP ?? 1) ||
      Math.abs(other.delta ?? 0) - Math.abs(one.delta ?? 0) ||
      (one.content ?? "").localeCompare(other.content ?? "", "en"),
  );
}

/** Those that can be drawn. */
export function figuresOf(rows: readonly ExperimentRow[]): Figure[] {
  return rows.flatMap(({ label, ...row }) => (label === null || label === "unmeasured" ? [] : (figureOf({ ...row, label }) ?? [])));
}

/** What it came to, for somebody with one minute: what helps, what harms, and of how many nothing can be said. */
export function verdictLine({ status, findings, rows }: Pick<Experiment, "status" | "findings" | "rows">): string {
  if (!findings) {
    if (status === "cancelled") return "It was stopped before anything could be said.";
    return `${plural(rows, "row")} of knowledge ${rows === 1 ? "is" : "are"} being measured.`;
  }
  const { measured, harmful, flagged, noEffectFound, unmeasured } = findings;
  const parts = [
    measured > 0 && `${measured} ${measured === 1 ? "row helps" : "rows help"}`,
    harmful > 0 && `${harmful} ${harmful === 1 ? "harms" : "harm"}`,
    flagged > 0 && `${flagged} ${flagged === 1 ? "is" : "are"} flagged and not confirmed`,
    noEffectFound > 0 && `no effect was found for ${noEffectFound}`,
    unmeasured > 0 && `${unmeasured} could not be measured`,
  ].filter((part) => part !== false);
  const words = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "Nothing was measured");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** What to do now; null while it runs and where there is nothing to do. */
export function nextStep({ status, findings, results }: Pick<ExperimentDetail, "status" | "findings" | "results">): string | null {
  if (status !== "completed" || !findings) return null;
  const toRetire = results.filter(({ label, confirmed, state }) => label === "harmful" && confirmed && (state === "active" || state === "shadow")).length;
  const toApprove = results.filter(({ label, confirmed, state }) => label === "measured" && confirmed && (state === "proposed" || state === "shadow")).length;
  const open = results.filter(({ label }) => label === "flagged").length;
  const parts = [
    toRetire > 0 && `To retire ${toRetire === 1 ? "what harms" : `${toRetire} that harm`} is proposed on Knowledge.`,
    toApprove > 0 && `To approve ${toApprove === 1 ? "what helps and is in no prompt" : `${toApprove} that help and are in no prompt`} is proposed on Knowledge.`,
    open > 0 && `${plural(open, "finding")} ${open === 1 ? "is" : "are"} not confirmed by pairs: measure ${open === 1 ? "it" : "them"} one at a time.`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(" ") : findings.measured + findings.harmful === 0 ? "There is nothing to decide. No effect found is not the same as no effect." : null;
}

/** "below 0.001", "0.031"; null where there is none. */
export function pWords(p: number | null): string {
  if (p === null) return "–";
  return p < 0.001 ? "below 0.001" : p.toFixed(3);
}

/** "1 helps, 1 harms, 3 without effect": for a list. */
export function findingsWords(findings: Experiment["findings"]): string {
  if (!findings) return "–";
  const { measured, harmful, flagged, noEffectFound, unmeasured } = findings;
  const parts = [
    measured > 0 && `${measured} ${measured === 1 ? "helps" : "help"}`,
    harmful > 0 && `${harmful} ${harmful === 1 ? "harms" : "harm"}`,
    flagged > 0 && `${flagged} flagged`,
    noEffectFound > 0 && `${noEffectFound} no effect found`,
    unmeasured > 0 && `${unmeasured} unmeasured`,
  ].filter((part) => part !== false);
  return parts.join(", ") || "–";
}

/** An experiment as a form has it. */
export interface ExperimentDraft {
  set: string;
  agent: ChosenAgent;
  /** Null: all that apply. */
  rows: ChosenRow[] | null;
  design: Design;
  replays: number | "";
  confirms: boolean;
  pairs: number | "";
  mode: ReplayMode;
  /** In dollars; "" is no limit. */
  maxCost: number | "";
  [key: string]: unknown;
}

export interface ChosenRow {
  id: string;
  content: string;
}

export const REPLAYS = 240; // as the server plans it
export const PAIRS = 40;
export const MOST_ROWS = 40; // the server's limits
export const MOST_REPLAYS = 5000;
export const MOST_PAIRS = 500;

export function experimentDraft(part: Partial<ExperimentDraft>): ExperimentDraft {
  return { set: "", agent: { agent: "", version: 0 }, rows: null, design: "halves", replays: REPLAYS, confirms: true, pairs: PAIRS, mode: "hybrid", maxCost: "", ...part };
}

/** The same once more, with the agent as it is now. */
export function draftOfExperiment({ setName, agent, design, mode, confirms, pairs, maxCost, results }: ExperimentDetail): ExperimentDraft {
  const there = results.filter(({ state }) => state !== null && state !== "retired" && state !== "rejected");
  return experimentDraft({
    set: setName,
    agent: { agent: agent.slug, version: 0 },
    rows: design === "pairs" ? there.map(({ rowId, content }) => ({ id: rowId, content: content ?? "" })) : null,
    design,
    mode,
    confirms,
    pairs,
    maxCost: maxCost ?? "",
  });
}

/** What is sent; null while something is missing. */
export function experimentOf({ set, agent, rows, design, replays, confirms, pairs, mode, maxCost }: ExperimentDraft): NewExperiment | null {
  const isPairs = design === "pairs" && rows !== null;
  if (set === "" || rows?.length === 0) return null;
  if ((isPairs || confirms) && pairs === "") return null;
  if (!isPairs && replays === "") return null;
  return {
    setName: set,
    ...(agent.agent === "" ? {} : { agent: agent.agent, ...(agent.version === 0 ? {} : { version: agent.version }) }),
    ...(rows === null ? {} : { rowIds: rows.map(({ id }) => id) }),
    design: isPairs ? "pairs" : "halves",
    replays: isPairs || replays === "" ? REPLAYS : replays, // pairs are counted by themselves
    confirms,
    pairs: pairs === "" ? PAIRS : pairs,
    mode,
    ...(maxCost === "" ? {} : { maxCost }),
    dryRun: false,
  };
}

/** "240 replays: 200 are made, 40 are there already"; what it uses is that of those that are made. */
export function takesLine({ replays, reused, made, tokens, cost }: ExperimentForecast): string {
  if (made === 0) return `${plural(replays, "replay")}, all of which are there: nothing is run`;
  const there = reused > 0 ? `: ${made.toLocaleString("en")} to run, ${reused.toLocaleString("en")} there already` : "";
  return `${plural(replays, "replay")}${there}, about ${tokens.toLocaleString("en")} tokens, ${dollars(cost)}`;
}

/** What each row takes that is tried by itself; null where none is. */
export function confirmationLine({ confirmationReplaysPerRow: replays, confirmationTokensPerRow: tokens, confirmationCostPerRow: cost }: ExperimentForecast): string | null {
  if (replays === 0) return null;
  return `Each row that shows an effect takes up to ${plural(replays, "replay")} more, about ${tokens.toLocaleString("en")} tokens, ${dollars(cost)}.`;
}

/** The row of which least is known, where that is less than all; null where every row has as many. */
export function fewestLine({ fewest, replays, power }: ExperimentForecast): string | null {
  if (power.length === 0 || fewest >= replays) return null;
  return `Of these, ${plural(fewest, "replay")} say something about the row that is known least; the chances are its.`;
}

/** "5 rows on 12 goldens": what is measured. */
export function measuresLine({ rows, rowsLeftOut, goldens }: ExperimentForecast): string {
  const left = rowsLeftOut > 0 ? `; ${rowsLeftOut.toLocaleString("en")} more apply and are left out` : "";
  return `${plural(rows, "row")} on ${plural(goldens, "golden")}${left}`;
}

const WANTED_POWER = 0.8;

export interface PowerLine {
  /** In points. */
  effect: number;
  /** Null: too few replays for any figure. */
  power: number | null;
  words: string;
  /** As many replays as find it in four cases of five; null where there are enough, or where none do. */
  needed: number | null;
}

export function powerLines({ power }: ExperimentForecast): PowerLine[] {
  return power.map(({ effect, power: chance, replaysNeeded }) => {
    const isEnough = chance !== null && chance >= WANTED_POWER;
    const points = Math.round(effect * 100);
    return {
      effect: points,
      power: chance,
      words: chance === null ? "too few replays to tell" : percentOf(chance),
      needed: !isEnough && replaysNeeded !== null && replaysNeeded <= MOST_REPLAYS ? replaysNeeded : null,
    };
  });
}

/** Never quite sure. */
function percentOf(chance: number): string {
  return chance > 0.99 ? "over 99%" : `${Math.round(chance * 100)}%`;
}

/** What would go unseen. */
export function smallestLine({ smallestDetectable }: ExperimentForecast): string | null {
  if (smallestDetectable === null) return null;
  const points = (smallestDetectable * 100).toLocaleString("en", { maximumFractionDigits: 0 });
  return smallestDetectable >= 1
    ? "So few replays find no effect, however large."
    : `The smallest effect it finds four times in five is ${points} points.`;
}
