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

/** What the parts of a message are called, by the names that model libraries give them. */
const ROLES: Readonly<Record<string, string>> = {
  "system-prompt": "system",
  "user-prompt": "user",
  "tool-return": "tool result",
  "retry-prompt": "to be tried again",
  text: "agent",
  thinking: "thoughts",
  "tool-call": "tool call",
};

/** Everything in the messages of a model request, one after the other; what is no text is shown as JSON. */
export function readMessages(value: unknown): PromptMessage[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((message) => {
    if (!isObject(message)) return [{ role: "message", text: asText(message) }];
    if (Array.isArray(message.parts)) return message.parts.map(readPart);
    return [{ role: readText(message, "role", "kind", "type") ?? "message", text: contentText(message) }];
  });
}

function readPart(part: unknown): PromptMessage {
  if (!isObject(part)) return { role: "message", text: asText(part) };
  const kind = readText(part, "part_kind", "kind", "type") ?? "message";
  const role = Object.hasOwn(ROLES, kind) ? (ROLES[kind] as string) : kind;
  const tool = readText(part, "tool_name", "name");
  const text = kind === "tool-call" ? asText(part.args ?? part.arguments) : contentText(part);
  return { role: tool ? `${role} ${tool}` : role, text };
}

function contentText(of: Record<string, unknown>): string {
  const content = of.content ?? of.text;
  if (Array.isArray(content)) return content.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : asText(part))).join("\n");
  return asText(content === undefined ? of : content);
}

/** What the model was told beside the messages, wherever that stands. */
export function readInstructions(payload: Payload): string | null {
  const own = readText(payload, "instructions", "system");
  if (own !== null || !Array.isArray(payload.messages)) return own;
  for (const message of payload.messages) {
    const said = isObject(message) ? readText(message, "instructions") : null;
    if (said !== null) return said;
  }
  return null;
}
