/** Tasks as the form holds them, and in words. Pure. */
import type { NewTask, Task } from "@/api/types";
import { type Document, POPULATOR } from "@/features/population/lib/population";
import { type EvalRunDraft, checkEvalRun, evalRunOf, readEvalRun } from "./evalRun";
import { type ScheduleDraft, readSchedule, toSchedule } from "./schedule";

export const KINDS = [
  { value: "prompt", label: "Prompt", description: "Says the same message to an agent" },
  { value: "populate_fields", label: "Populate fields", description: "Has an agent propose values for records of a type" },
  { value: "eval_run", label: "Replay a set", description: "Has an agent replay goldens, and says whether it got worse" },
] as const;
export type Kind = (typeof KINDS)[number]["value"];

/** A kind that is newer than this page is called as the server calls it. */
export function kindLabel(kind: string): string {
  return KINDS.find(({ value }) => value === kind)?.label ?? kind;
}

export interface TaskDraft {
  name: string;
  kind: Kind;
  agent: string;
  message: string;
  type: string;
  q: string;
  setId: string;
  dimensions: readonly string[];
  text: string;
  documents: readonly Document[];
  instructions: string;
  evalRun: EvalRunDraft;
  schedule: ScheduleDraft;
  enabled: boolean;
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const list = (value: unknown) => (Array.isArray(value) ? value : []);

/** A task that is there, or the beginning of a new one. */
export function draftOf(task: Task | null, here: string): TaskDraft {
  const config: Record<string, unknown> = task?.config ?? {};
  return {
    name: task?.name ?? "",
    kind: KINDS.find(({ value }) => value === task?.kind)?.value ?? "prompt",
    agent: task?.agent ?? "",
    message: text(config["message"]),
    type: text(config["type"]),
    q: text(config["q"]),
    setId: text(config["criteria_set_id"]),
    dimensions: list(config["dimensions"]).map(String),
    text: text(config["text"]),
    documents: list(config["documents"]) as Document[],
    instructions: text(config["instructions"]),
    evalRun: readEvalRun(config),
    schedule: readSchedule(task?.schedule ?? null, here),
    enabled: task?.enabled ?? true,
  };
}

/** What the server takes; what the form does not show of a task that is edited stays as it is. */
export function taskOf(draft: TaskDraft, before: Task | null): Omit<NewTask, "agent" | "id"> & { agent?: string } {
  const { name, kind, agent, schedule, enabled } = draft;
  return {
    name: name.trim(),
    kind,
    ...(agent ? { agent } : {}),
    config: configOf(draft, before),
    schedule: toSchedule(schedule),
    enabled,
  };
}

function configOf(draft: TaskDraft, before: Task | null): Record<string, unknown> {
  if (draft.kind === "prompt") return { message: draft.message };
  return draft.kind === "eval_run" ? evalRunOf(draft.evalRun, before?.config ?? {}) : populationOf(draft, before);
}

function populationOf(draft: TaskDraft, before: Task | null): Record<string, unknown> {
  const { type, q, setId, dimensions, text: given, documents, instructions } = draft;
  const shown = new Set(["type", "q", "criteria_set_id", "dimensions", "text", "documents", "instructions"]);
  const kept = Object.entries(before?.config ?? {}).filter(([key]) => !shown.has(key));
  const config = {
    type,
    q: q.trim() || undefined,
    criteria_set_id: setId || undefined,
    dimensions: dimensions.length > 0 ? dimensions : undefined,
    text: given.trim() ? given : undefined,
    documents: documents.length > 0 ? documents : undefined,
    instructions: instructions.trim() || undefined,
  };
  const named = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...kept, ...named]);
}

/** What is missing, by field of the form. */
export function checkTask({ name, kind, agent, message, type, evalRun, schedule }: TaskDraft): Record<string, string> {
  return {
    ...(name.trim() ? {} : { name: "Give the task a name" }),
    ...(kind !== "populate_fields" && !agent ? { agent: "Choose who does it" } : {}),
    ...(kind === "prompt" && !message.trim() ? { message: "Write what the agent is to do" } : {}),
    ...(kind === "populate_fields" && !type ? { type: "Choose a type" } : {}),
    ...(kind === "eval_run" ? checkEvalRun(evalRun) : {}),
    ...(schedule.repeat !== "never" && schedule.repeat !== "cron" && !schedule.time ? { time: "Choose a time" } : {}),
  };
}

/** The agent that a kind begins with. */
export function agentFor(kind: Kind, agent: string): string {
  if (kind === "populate_fields") return agent || POPULATOR;
  return agent === POPULATOR ? "" : agent;
}

const FACTS: Record<string, string> = {
  message: "Message",
  type: "Records of type",
  ids: "Records",
  q: "With the words",
  min_score: "Score at least",
  waits: "Waits for review",
  criteria_set_id: "Criteria set",
  criteria_set_slug: "Criteria set",
  dimensions: "Fields",
  text: "Text to read",
  documents: "Files to read",
  instructions: "Instructions",
  setName: "Set of goldens",
  agents: "Also by",
  baseline: "Compared with",
  repeats: "Repeats",
  margin: "Margin",
  maxCost: "Cost limit",
};

function factText(key: string, value: unknown): string {
  if (key === "ids" && Array.isArray(value)) return `${value.length} that are named`;
  if (key === "documents" && Array.isArray(value)) return value.map((each: Document) => each.title).join(", ");
  if (key === "agents" && Array.isArray(value)) return value.map(agentText).join(", ");
  if (key === "baseline") return value === "none" ? "Nobody" : agentText(value);
  if (key === "margin" && typeof value === "number") return `${Math.round(value * 1000) / 10} points`;
  if (key === "maxCost" && typeof value === "number") return `$${value}`;
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);
}

function agentText(value: unknown): string {
  const { agent, version } = value as { agent: string; version?: number | null };
  return version ? `${agent} v${version}` : agent;
}

/** A configuration in words, in the order in which it is read. What is newer than this page is called by its key. */
export function configFacts({ kind, config }: Pick<Task, "kind" | "config">): { label: string; text: string }[] {
  const given = Object.entries(config).filter(([, value]) => value !== null && value !== false);
  const known = Object.keys(FACTS);
  const place = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length);
  const facts = given
    .toSorted(([one], [other]) => place(one) - place(other))
    .map(([key, value]) => ({ label: FACTS[key] ?? key, text: factText(key, value) }));
  const all = kind === "populate_fields" && !("dimensions" in config) ? [{ label: "Fields", text: "All of them" }] : [];
  return [...facts, ...all];
}
