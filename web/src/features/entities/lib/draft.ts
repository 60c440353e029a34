/** A record while it is being edited: what stands in each input, and the content it makes. */
import type { FieldProblem } from "@/api/problem";
import type { Field } from "@/features/entity_types/lib/fields";
import { optionText, sameValue } from "./values";

export type DraftValue = string | string[];
export type Draft = Record<string, DraftValue>;

export function toDraft(content: Record<string, unknown>, fields: readonly Field[]): Draft {
  return Object.fromEntries(fields.map((field) => [field.key, draftOf(content[field.key], field)]));
}

function draftOf(value: unknown, field: Field): DraftValue {
  if (field.kind === "texts") return Array.isArray(value) ? value.map(String) : [];
  if (value === undefined || value === null) return "";
  if (field.kind === "json") return JSON.stringify(value, null, 2);
  return typeof value === "object" ? JSON.stringify(value) : optionText(value);
}

export interface Parsed {
  content: Record<string, unknown>;
  errors: Record<string, string>;
}

/** An input that was left empty makes no key at all: "not known" is told apart from an empty text. */
export function parseDraft(draft: Draft, fields: readonly Field[]): Parsed {
  const parsed: Parsed = { content: {}, errors: {} };
  for (const field of fields) {
    const outcome = parseValue(draft[field.key] ?? "", field);
    if (outcome.error) parsed.errors[field.key] = outcome.error;
    else if (outcome.value !== undefined) parsed.content[field.key] = outcome.value;
    else if (field.required) parsed.errors[field.key] = "This is required";
  }
  return parsed;
}

function parseValue(draft: DraftValue, field: Field): { value?: unknown; error?: string } {
  if (Array.isArray(draft)) return draft.length > 0 ? { value: draft } : {};
  if (draft.trim() === "") return {};
  switch (field.kind) {
    case "number":
    case "integer": {
      const number = Number(draft);
      if (!Number.isFinite(number)) return { error: "This is a number" };
      if (field.kind === "integer" && !Number.isInteger(number)) return { error: "This is a whole number" };
      return { value: number };
    }
    case "boolean":
      return { value: draft === "true" };
    case "enum":
      return { value: field.options.find((option) => optionText(option) === draft) };
    case "json":
      return parseJson(draft);
    default:
      return { value: draft };
  }
}

function parseJson(draft: string): { value?: unknown; error?: string } {
  try {
    return { value: JSON.parse(draft) };
  } catch {
    return { error: "This is not valid JSON" };
  }
}

/** What was changed, by key; a key that was emptied is there with `undefined`. */
export function changesBetween(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  fields: readonly Field[],
): Map<string, unknown> {
  const changes = new Map<string, unknown>();
  for (const { key } of fields) if (!sameValue(before[key], after[key])) changes.set(key, after[key]);
  return changes;
}

export function applyChanges(content: Record<string, unknown>, changes: ReadonlyMap<string, unknown>) {
  const applied = { ...content };
  for (const [key, value] of changes) {
    if (value === undefined) delete applied[key];
    else applied[key] = value;
  }
  return applied;
}

/** Puts `/content/revenue` at the field `revenue`; what no input can show is said above the form. */
export function placeContentErrors(errors: readonly FieldProblem[], fields: readonly Field[]) {
  const placed: Record<string, string> = {};
  const rest: string[] = [];
  for (const { path, message } of errors) {
    const [head = "", second = ""] = path.split("/").slice(1);
    const key = (head === "content" ? second : head).replaceAll("~1", "/").replaceAll("~0", "~");
    if (key === "title" && head === "title") placed.title ??= message;
    else if (head === "content" && fields.some((field) => field.key === key)) placed[`content.${key}`] ??= message;
    else rest.push(message);
  }
  return { fields: placed, head: rest.length > 0 ? rest.join(" ") : null };
}
