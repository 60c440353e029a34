/** What a task that replays a set is configured with, as the form holds it. Pure. */

export interface EvalRunDraft {
  setName: string;
  /** Whether it is compared with the agent as it was when the goldens were made, or with nobody. */
  compares: boolean;
  repeats: number | "";
  /** In points of 100. */
  margin: number | "";
  /** In US dollars; "" is no limit. */
  maxCost: number | "";
}

const DEFAULTS = { repeats: 3, margin: 0.05 }; // the server's
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);

export function readEvalRun(config: Record<string, unknown>): EvalRunDraft {
  return {
    setName: typeof config["setName"] === "string" ? config["setName"] : "",
    compares: config["baseline"] !== "none",
    repeats: number(config["repeats"]) ?? DEFAULTS.repeats,
    margin: Math.round((number(config["margin"]) ?? DEFAULTS.margin) * 1000) / 10,
    maxCost: number(config["maxCost"]) ?? "",
  };
}

/** What the server takes; what the form does not show stays as it is. */
export function evalRunOf({ setName, compares, repeats, margin, maxCost }: EvalRunDraft, before: Record<string, unknown>): Record<string, unknown> {
  const { baseline, maxCost: _, ...kept } = before;
  const compared = compares ? (baseline !== undefined && baseline !== "none" ? { baseline } : {}) : { baseline: "none" };
  return {
    ...kept,
    setName,
    ...compared,
    ...(repeats === "" ? {} : { repeats }),
    ...(margin === "" ? {} : { margin: Math.round(margin * 10) / 1000 }),
    ...(maxCost === "" ? {} : { maxCost }),
  };
}

export function checkEvalRun({ setName, repeats, margin }: EvalRunDraft): Record<string, string> {
  return {
    ...(setName ? {} : { setName: "Choose a set of goldens" }),
    ...(repeats === "" ? { repeats: "Say how often each golden is replayed" } : {}),
    ...(margin === "" ? { margin: "Say by how much it may be lower" } : {}),
  };
}
