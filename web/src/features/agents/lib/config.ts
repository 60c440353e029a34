/** How an agent's configuration is edited: every input a text or a number that may be empty. What the server would refuse
 * is found here first, at its place. Pure. */
import * as v from "valibot";
import { changedParts } from "@/api/changedParts";
import { type Fault, fault, pointer } from "@/api/faults";
import { isLongerThan } from "@/api/plain";
import type { AgentConfig, NewAgentConfig } from "@/api/types";

export const RUNTIMES = ["built_in", "http", "python"] as const;
export type Runtime = (typeof RUNTIMES)[number];

export const RUNTIME_LABEL: Record<Runtime, string> = {
  built_in: "Here, on a language model",
  http: "At an address of yours, over HTTP",
  python: "As an installed Python function",
};

export const LIMITS = ["requests", "tool_calls", "tokens", "seconds", "cost"] as const;
export type Limit = (typeof LIMITS)[number];

interface LimitRule {
  label: string;
  unit: string;
  min: number;
  max: number;
  /** What holds where nothing is said; null: no limit. */
  usual: number | null;
}

export const LIMIT_RULE: Record<Limit, LimitRule> = {
  requests: { label: "Requests", unit: "to the model", min: 1, max: 1_000, usual: 50 },
  tool_calls: { label: "Tool calls", unit: "in one run", min: 0, max: 10_000, usual: 200 },
  tokens: { label: "Tokens", unit: "in and out together", min: 1, max: 100_000_000, usual: 1_000_000 },
  seconds: { label: "Seconds", unit: "from start to end", min: 1, max: 3_000, usual: 600 },
  cost: { label: "Cost", unit: "in US dollars; empty: no limit", min: 0, max: 10_000, usual: null },
};

export const LONGEST_INSTRUCTIONS = 100_000;
const LONGEST_NOTE = 2_000;
const MODEL = /^[a-z][a-z0-9_-]*:[^\s:]\S*$/;
const URL_PATTERN = /^https?:\/\/[^\s/?#]\S*$/;

const amount = v.union([v.number(), v.literal("")]);
const draftSchema = v.object({
  runtime: v.picklist(RUNTIMES),
  model: v.string(),
  base_url: v.string(),
  instructions: v.string(),
  tool_groups: v.array(v.string()),
  limits: v.object({ requests: amount, tool_calls: amount, tokens: amount, seconds: amount, cost: amount }),
  url: v.string(),
  entry_point: v.string(),
  note: v.string(),
});
export type ConfigDraft = v.InferOutput<typeof draftSchema>;

const keptSchema = v.object({ version: v.number(), base: draftSchema, draft: draftSchema });
/** What was begun, and the version that it was begun on. */
export type KeptConfig = v.InferOutput<typeof keptSchema>;

export function parseKept(kept: unknown): KeptConfig | null {
  const parsed = v.safeParse(keptSchema, kept);
  return parsed.success ? parsed.output : null;
}

/** The note is that of the next change, hence empty at first. */
export function draftOf(config: AgentConfig | null): ConfigDraft {
  const limits = config?.limits;
  const amountOf = (limit: Limit) => limits?.[limit] ?? LIMIT_RULE[limit].usual ?? "";
  return {
    runtime: config?.runtime ?? "built_in",
    model: config?.model ?? "",
    base_url: config?.base_url ?? "",
    instructions: config?.instructions ?? "",
    tool_groups: config?.tool_groups ?? [],
    limits: {
      requests: amountOf("requests"),
      tool_calls: amountOf("tool_calls"),
      tokens: amountOf("tokens"),
      seconds: amountOf("seconds"),
      cost: amountOf("cost"),
    },
    url: config?.url ?? "",
    entry_point: config?.entry_point ?? "",
    note: "",
  };
}

/** What is sent: where the agent is goes with the runtime. An amount that is empty is the usual one. */
export function configOf(draft: ConfigDraft): Required<Omit<NewAgentConfig, "note" | "version">> {
  const text = (value: string, used = true) => (used && value.trim() ? value.trim() : null);
  const amountOf = (limit: Exclude<Limit, "cost">) => {
    const value = draft.limits[limit];
    return value === "" ? (LIMIT_RULE[limit].usual ?? 0) : value;
  };
  return {
    runtime: draft.runtime,
    model: text(draft.model),
    base_url: text(draft.base_url),
    instructions: draft.instructions,
    tool_groups: draft.tool_groups,
    limits: {
      requests: amountOf("requests"),
      tool_calls: amountOf("tool_calls"),
      tokens: amountOf("tokens"),
      seconds: amountOf("seconds"),
      cost: draft.limits.cost === "" ? null : draft.limits.cost,
    },
    url: text(draft.url, draft.runtime === "http"),
    entry_point: text(draft.entry_point, draft.runtime === "python"),
  };
}

export type Config = ReturnType<typeof configOf>;

/** As the page calls the parts of a configuration. */
export const PART_WORDS: Record<keyof Config, string> = {
  runtime: "Runtime",
  model: "Model",
  base_url: "Base URL",
  instructions: "Instructions",
  tool_groups: "Tools",
  limits: "Limits",
  url: "Address",
  entry_point: "Entry point",
};

export function partWord(part: string): string {
  return PART_WORDS[part as keyof Config] ?? part;
}

/** Another note alone is a change as well: it makes a version. */
export function isChanged(base: ConfigDraft, draft: ConfigDraft): boolean {
  return draft.note.trim() !== "" || JSON.stringify(configOf(base)) !== JSON.stringify(configOf(draft));
}

/** What was changed since it was read, on top of what is there now: a configuration is always sent whole. */
export function putOnTop(base: ConfigDraft, mine: ConfigDraft, theirs: ConfigDraft): Config {
  return { ...configOf(theirs), ...changedParts(configOf(base), configOf(mine)) };
}

export function checkConfig(draft: ConfigDraft): Fault[] {
  const { runtime, model, base_url, url, entry_point, instructions } = configOf(draft);
  const faults: Fault[] = [];
  const refuse = (place: string, code: string, message: string) => faults.push(fault(place, code, message));
  if (model !== null && !MODEL.test(model)) refuse("/model", "invalid", "Write it as provider:name, such as openai:gpt-6");
  if (base_url !== null && !URL_PATTERN.test(base_url)) refuse("/base_url", "invalid", URL_RULE);
  if (runtime === "http" && url === null) refuse("/url", "required", "Say where the agent is");
  if (url !== null && !URL_PATTERN.test(url)) refuse("/url", "invalid", URL_RULE);
  if (runtime === "python" && entry_point === null) refuse("/entry_point", "required", "Name the function");
  if (isLongerThan(instructions, LONGEST_INSTRUCTIONS)) refuse("/instructions", "too_long", "At most 100,000 characters");
  if (isLongerThan(draft.note.trim(), LONGEST_NOTE)) refuse("/note", "too_long", "At most 2,000 characters");
  for (const limit of LIMITS) {
    const message = limitFault(limit, draft.limits[limit]);
    if (message) refuse(pointer("limits", limit), "invalid", message);
  }
  return faults;
}

const URL_RULE = "Begin with http:// or https://, and name a host";

function limitFault(limit: Limit, value: number | ""): string | null {
  const { min, max } = LIMIT_RULE[limit];
  if (value === "") return null;
  if (limit === "cost") return value > 0 && value <= max ? null : `More than 0, at most ${max.toLocaleString("en")}`;
  const fits = Number.isInteger(value) && value >= min && value <= max;
  return fits ? null : `A whole number from ${min} to ${max.toLocaleString("en")}`;
}
