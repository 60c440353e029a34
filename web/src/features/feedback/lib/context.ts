/** What a row of feedback tells beside its words: where it was said, which value was meant, what came of it. Pure. */
import * as v from "valibot";
import type { Feedback } from "@/api/types";
import { formatValue } from "@/features/entities/lib/values";

const optional = <const S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);

const Rerun = v.object({
  state: v.string(),
  session_id: optional(v.string()),
  response_id: optional(v.string()),
  code: optional(v.string()),
  message: optional(v.string()),
});
export type Rerun = v.InferOutput<typeof Rerun>;

const Quality = v.object({
  score: v.number(),
  grade: v.string(),
  missing: v.fallback(v.array(v.string()), []),
});

const Context = v.object({
  project: optional(v.string()),
  conversation_id: optional(v.string()),
  turn_id: optional(v.string()),
  origin: optional(v.picklist(["user", "machine"])),
  response_id: optional(v.string()),
  field_name: optional(v.string()),
  quality: optional(Quality),
  rerun: optional(Rerun),
  code: optional(v.string()),
  failure_reason: optional(v.string()),
  tool_slug: optional(v.string()),
  imported_from: optional(v.string()),
  name: optional(v.string()),
  value: optional(v.unknown()),
});
export type Context = v.InferOutput<typeof Context>;

export function contextOf({ context }: Pick<Feedback, "context">): Context {
  return v.parse(Context, context);
}

const MISSING: Record<string, string> = {
  specific_reason: "a specific reason",
  rejected_value: "the rejected value",
  field_name: "the field",
  source_evidence: "a source",
  response_lineage: "earlier attempts",
  criteria_snapshot: "what was asked for",
  field_metadata: "how sure it was",
};

/** "80 of 100, good; it lacks a source". */
export function qualityText({ quality }: Context): string | null {
  if (!quality) return null;
  const lacks = quality.missing.map((signal) => MISSING[signal] ?? signal).join(", ");
  return `${quality.score} of 100, ${quality.grade}${lacks ? `; it lacks ${lacks}` : ""}`;
}

/** What came of trying again, in words. */
export function rerunText({ state, response_id, message }: Rerun): string {
  if (state === "completed") return response_id ? "It was tried again, and there is a new response." : "It was tried again, and nothing better was found.";
  if (state === "not_started") return `It was not tried again. ${message ?? ""}`.trim();
  if (state === "started") return "It is being tried again.";
  return `Trying again did not succeed${message ? `: ${message}` : "."}`;
}

/** What it is about, in a word: the field, the tool. */
export function aspectOf(feedback: Pick<Feedback, "context">): string | null {
  const { field_name, tool_slug } = contextOf(feedback);
  return field_name ?? tool_slug ?? null;
}

/** Its words; where there are none, what can be said of it. */
export function wordsOf(feedback: Pick<Feedback, "comment" | "context" | "source_type">): string {
  if (feedback.comment) return feedback.comment;
  const { failure_reason, tool_slug, field_name, name, value } = contextOf(feedback);
  if (failure_reason) return failure_reason;
  if (name) return value === undefined ? name : `${name}: ${formatValue(value)}`;
  if (tool_slug) return `About ${tool_slug}`;
  if (field_name) return `About ${field_name}`;
  return "Without words";
}
