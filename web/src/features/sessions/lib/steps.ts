/** The single source of what a session's events mean together: calls with their results, requests with their answers,
 * sub-agents below the call that began them. By the ids of calls, never by order alone: agents work side by side. Pure. */
import type { SessionEvent } from "@/api/types";
import { readNumber, readText } from "./payloads";

interface Base {
  /** The `seq` of its first event: what it is known by. */
  seq: number;
  at: string;
  /** All events that it is made of. */
  events: readonly SessionEvent[];
  /** The sub-agent that did it, where it was one. */
  agent: string | null;
  /** How deep in sub-agents it is, where the agent said so itself. */
  depth: number;
}

export interface MessageStep extends Base {
  kind: "message";
  by: "user" | "agent";
  event: SessionEvent;
}

export interface ToolStep extends Base {
  kind: "tool";
  name: string;
  call: SessionEvent | null;
  result: SessionEvent | null;
  /** What it changed. */
  effects: readonly SessionEvent[];
  /** The moment from which on it waited for a person's answer. */
  asked: SessionEvent | null;
  /** What a sub-agent did that the call began. */
  steps: readonly Step[];
}

export interface ModelStep extends Base {
  kind: "model";
  model: string;
  request: SessionEvent | null;
  response: SessionEvent | null;
}

/** What the session changed in the workspace, where no call is known that did it. */
export interface EffectStep extends Base {
  kind: "effect";
  event: SessionEvent;
}

/** A turn of the session's own life. */
export interface LifeStep extends Base {
  kind: "life";
  event: SessionEvent;
}

/** An event of the agent's own kind. */
export interface OtherStep extends Base {
  kind: "other";
  event: SessionEvent;
}

export type Step = MessageStep | ToolStep | ModelStep | EffectStep | LifeStep | OtherStep;

const LIFE = "session."; // how the events of a session's own life begin
const EFFECTS: readonly string[] = ["response.submitted", "entity.created", "entity.updated", "entity.deleted"];
const SAID: Readonly<Record<string, "user" | "agent">> = {
  "user.message": "user",
  "session.answered": "user",
  "agent.message": "agent",
};

type Growing = { -readonly [K in keyof ToolStep]: ToolStep[K] } & { effects: SessionEvent[]; steps: Step[]; events: SessionEvent[] };
type GrowingModel = { -readonly [K in keyof ModelStep]: ModelStep[K] } & { events: SessionEvent[] };

/** Events in order of `seq`, as a tree. What belongs to a call that is not at hand stands by itself. */
export function buildSteps(events: readonly SessionEvent[]): Step[] {
  const roots: Step[] = [];
  const calls = new Map<string, Growing>();
  const asked = new Map<string, GrowingModel>(); // by the call whose sub-agent asks; "" is the session's own agent

  const place = (step: Step, { payload }: SessionEvent) => {
    const parent = calls.get(readText(payload, "parent_call_id") ?? "");
    (parent && parent !== step ? parent.steps : roots).push(step);
  };

  for (const event of events) {
    const { type, payload } = event;
    const callId = readText(payload, "id") ?? "";
    const within = readText(payload, "parent_call_id") ?? "";
    const cause = calls.get(readText(payload, "call_id") ?? "");
    if (type === "tool.call") {
      const step: Growing = { ...begin(event), kind: "tool", name: readText(payload, "name") ?? "tool", call: event, result: null, effects: [], asked: null, steps: [], events: [event] };
      place(step, event);
      if (callId) calls.set(callId, step);
    } else if (type === "tool.result") {
      const open = calls.get(callId);
      if (open && open.result === null) {
        open.result = event;
        open.events.push(event);
      } else {
        place({ ...begin(event), kind: "tool", name: readText(payload, "name") ?? "tool", call: null, result: event, effects: [], asked: null, steps: [] }, event);
      }
    } else if (type === "model.request") {
      const step: GrowingModel = { ...begin(event), kind: "model", model: readText(payload, "model") ?? "model", request: event, response: null, events: [event] };
      place(step, event);
      asked.set(within, step);
    } else if (type === "model.response") {
      const open = asked.get(within);
      asked.delete(within);
      if (open) {
        open.response = event;
        open.events.push(event);
      } else {
        place({ ...begin(event), kind: "model", model: readText(payload, "model") ?? "model", request: null, response: event }, event);
      }
    } else if (Object.hasOwn(SAID, type)) {
      place({ ...begin(event), kind: "message", by: SAID[type] as "user" | "agent", event }, event);
    } else if (type.startsWith(LIFE)) {
      if (type === "session.waiting" && cause) cause.asked = event;
      place({ ...begin(event), kind: "life", event }, event);
    } else if (cause) {
      cause.effects.push(event);
      cause.events.push(event);
    } else {
      place({ ...begin(event), kind: EFFECTS.includes(type) ? "effect" : "other", event }, event);
    }
  }
  return roots;
}

function begin(event: SessionEvent): Base {
  return { seq: event.seq, at: event.at, events: [event], agent: readText(event.payload, "agent"), depth: readNumber(event.payload, "depth") ?? 0 };
}

export interface StepRow {
  step: Step;
  /** How far it is indented. */
  depth: number;
}

const DEEPEST = 6; // levels that are told apart by indentation: more would leave no room for words

/** The tree as a list. What a folded call's sub-agent did is left out. */
export function flattenSteps(steps: readonly Step[], folded: ReadonlySet<number>, depth = 0): StepRow[] {
  return steps.flatMap((step) => {
    const own = Math.min(Math.max(depth, step.kind === "life" ? 0 : step.depth), DEEPEST);
    const inner = step.kind === "tool" && !folded.has(step.seq) ? flattenSteps(step.steps, folded, own + 1) : [];
    return [{ step, depth: own }, ...inner];
  });
}

/** How many steps a sub-agent took, and those of its own sub-agents. */
export function countSteps(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + 1 + (step.kind === "tool" ? countSteps(step.steps) : 0), 0);
}

/** The calls around an event, from the outside in, and the step that it is part of. */
export function findStep(steps: readonly Step[], seq: number): { step: Step; above: ToolStep[] } | null {
  for (const step of steps) {
    if (step.events.some((event) => event.seq === seq)) return { step, above: [] };
    if (step.kind !== "tool") continue;
    const found = findStep(step.steps, seq);
    if (found) return { ...found, above: [step, ...found.above] };
  }
  return null;
}

export function hasFailed(step: ToolStep): boolean {
  return step.result !== null && "error" in step.result.payload;
}

/** How long it took, as it was told, else from its first event to its last; null while it is under way. */
export function tookMs(step: ToolStep | ModelStep): number | null {
  const [first, last] = step.kind === "tool" ? [step.call, step.result] : [step.request, step.response];
  const told = readNumber(last?.payload, "duration_ms") ?? readNumber(first?.payload, "duration_ms");
  if (told !== null) return told;
  return first && last ? Math.max(0, Date.parse(last.at) - Date.parse(first.at)) : null;
}

export interface Usage {
  input: number | null;
  output: number | null;
  cost: number | null;
}

/** Tokens and cost of a request, which are told with its answer, or with itself where that is all that was recorded. */
export function usageOf({ request, response }: ModelStep): Usage {
  const read = (key: string) => readNumber(response?.payload, key) ?? readNumber(request?.payload, key);
  return { input: read("input_tokens"), output: read("output_tokens"), cost: read("cost") };
}
