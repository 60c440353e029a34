/** The steps of a golden and of a replay beside each other: the longest common sequence, where equal steps weigh more than
 * steps that are only of one kind. Pure. */
import type { SessionEvent } from "@/api/types";
import { asText, isObject, readText } from "@/features/sessions/lib/payloads";
import { type Step, buildSteps } from "@/features/sessions/lib/steps";
import { type AnswerSource, isSource } from "./words";

export interface NearestRecording {
  name: string;
  arguments: unknown;
}

export interface DiffStep {
  /** The `seq` of its first event. */
  seq: number;
  /** Of all its events. */
  seqs: readonly number[];
  kind: "user" | "agent" | "tool";
  /** Who speaks, or the tool. */
  name: string;
  /** What is said, or what the tool is called with. */
  text: string;
  /** What the tool gave back. */
  result: string | null;
  failed: boolean;
  source: AnswerSource | null;
  nearest: NearestRecording | null;
}

export interface DiffRow {
  golden: DiffStep | null;
  replay: DiffStep | null;
  /** Whether both say the same; what tools gave back does not count. */
  isSame: boolean;
}

/** What was said and which tools were called, in order; requests to models and the session's own life are left out. */
export function diffSteps(events: readonly SessionEvent[]): DiffStep[] {
  return flatten(buildSteps(events)).flatMap((step): DiffStep[] => {
    const base = { seq: step.seq, seqs: step.events.map(({ seq }) => seq) };
    if (step.kind === "message") {
      const text = readText(step.event.payload, "text", "content", "message") ?? asText(step.event.payload.content ?? step.event.payload);
      return [{ ...base, kind: step.by, name: step.by === "user" ? "User" : "Agent", text, result: null, failed: false, source: null, nearest: null }];
    }
    if (step.kind !== "tool") return [];
    const result = step.result?.payload;
    const source = result?.answered_by;
    return [
      {
        ...base,
        kind: "tool",
        name: step.name,
        text: canonical(step.call?.payload.arguments ?? step.call?.payload.args ?? {}),
        result: result === undefined ? null : asText("error" in result ? result.error : (result.result ?? result.output ?? null)),
        failed: result !== undefined && "error" in result,
        source: isSource(source) ? source : null,
        nearest: readNearest(result?.nearest),
      },
    ];
  });
}

function flatten(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => (step.kind === "tool" ? [step, ...flatten(step.steps)] : [step]));
}

function readNearest(value: unknown): NearestRecording | null {
  return isObject(value) && typeof value.name === "string" ? { name: value.name, arguments: value.arguments } : null;
}

/** JSON with its keys in order, so that equal values read alike. */
export function canonical(value: unknown): string {
  return asText(inOrder(value));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, inOrder(value[key])]));
}

const SAME = 3; // of two equal steps
const ALIKE = 2; // of two steps of one kind and name: less, but more than leaving one out

function weigh(a: DiffStep, b: DiffStep): number {
  if (a.kind !== b.kind || a.name !== b.name) return 0;
  return a.text === b.text ? SAME : ALIKE;
}

export function alignSteps(golden: readonly DiffStep[], replay: readonly DiffStep[]): DiffRow[] {
  const best = Array.from({ length: golden.length + 1 }, () => new Uint32Array(replay.length + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = golden.length - 1; i >= 0; i -= 1) {
    for (let j = replay.length - 1; j >= 0; j -= 1) {
      const weight = weigh(golden[i] as DiffStep, replay[j] as DiffStep);
      const together = weight === 0 ? 0 : weight + at(i + 1, j + 1);
      (best[i] as Uint32Array)[j] = Math.max(together, at(i + 1, j), at(i, j + 1));
    }
  }
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  while (i < golden.length || j < replay.length) {
    const [left, right] = [golden[i] ?? null, replay[j] ?? null];
    const weight = left && right ? weigh(left, right) : 0;
    if (weight > 0 && at(i, j) === weight + at(i + 1, j + 1)) {
      rows.push({ golden: left, replay: right, isSame: weight === SAME });
      i += 1;
      j += 1;
    } else if (left && (right === null || at(i + 1, j) >= at(i, j + 1))) {
      rows.push({ golden: left, replay: null, isSame: false });
      i += 1;
    } else {
      rows.push({ golden: null, replay: right, isSame: false });
      j += 1;
    }
  }
  return rows;
}
