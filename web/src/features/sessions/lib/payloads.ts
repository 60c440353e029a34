/** What a payload says, read with care: it is anybody's JSON. Pure. */
import type { SessionEvent } from "@/api/types";

export type Payload = SessionEvent["payload"];

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readText(payload: Payload, ...keys: string[]): string | null {
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

export function readNumber(payload: Payload | undefined, key: string): number | null {
  const value = payload?.[key];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Text as it is, anything else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, null, 2) ?? "";
}

const SHOWN = 160; // characters of a line
const SCANNED = 2000; // characters of a text that are looked at for it

/** One line that says what a value is about. */
export function oneLine(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (isObject(value) && Object.keys(value).length === 0) return "";
  const text = typeof value === "string" ? value.slice(0, SCANNED) : (JSON.stringify(value) ?? "");
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN).trimEnd()}…` : line;
}

/** What a tool is called with, as `name: value` pairs: shorter to read than JSON. */
export function argumentsLine(value: unknown): string {
  if (!isObject(value)) return oneLine(value);
  const parts = Object.entries(value).map(([key, each]) => `${key}: ${typeof each === "string" ? each : JSON.stringify(each)}`);
  return oneLine(parts.join(", "));
}

/** What went wrong, whatever shape it was told in. */
export function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  if (isObject(error)) return readText(error, "message", "detail", "error", "code") ?? oneLine(error);
  return oneLine(error) || "It failed, and nobody told why";
}

export interface PromptMessage {
  role: string;
  text: string;
}

/** The messages of a model request; a part that is no text is shown as JSON. */
export function readMessages(value: unknown): PromptMessage[] {
  if (!Array.isArray(value)) return [];
  return value.map((each) => {
    if (!isObject(each)) return { role: "message", text: asText(each) };
    const role = readText(each, "role", "kind", "type") ?? "message";
    const { role: _role, kind: _kind, type: _type, ...rest } = each;
    const content = each.content ?? each.text ?? each.parts ?? rest;
    return { role, text: Array.isArray(content) ? content.map(partText).join("\n") : asText(content) };
  });
}

function partText(part: unknown): string {
  if (isObject(part)) {
    const text = readText(part, "text", "content");
    if (text !== null && Object.keys(part).every((key) => ["type", "kind", "part_kind", "text", "content"].includes(key))) return text;
  }
  return asText(part);
}
