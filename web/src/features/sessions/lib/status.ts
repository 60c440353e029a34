/** How a session stands, in words, and what may be done with it. Pure. */
import type { AgentSession, SessionSource, SessionStatus, SessionType } from "@/api/types";

export const SESSION_STATUSES = [
  "queued",
  "running",
  "waiting",
  "stalled",
  "completed",
  "failed",
  "cancelled",
] as const satisfies readonly SessionStatus[];

export const SESSION_STATUS: Record<SessionStatus, { label: string; color: string }> = {
  queued: { label: "Queued", color: "blue" },
  running: { label: "Running", color: "gold" },
  waiting: { label: "Waits for a person", color: "orange" },
  stalled: { label: "Stalled", color: "orange" },
  completed: { label: "Completed", color: "green" },
  failed: { label: "Failed", color: "red" },
  cancelled: { label: "Cancelled", color: "gray" },
};

export const SESSION_TYPES = ["agent", "chat", "response", "tool", "mixed"] as const satisfies readonly SessionType[];
export const SESSION_TYPE: Record<SessionType, string> = {
  agent: "Agent",
  chat: "Chat",
  response: "Response",
  tool: "Tool",
  mixed: "Mixed",
};

export const SESSION_SOURCES = ["run", "client", "otlp"] as const satisfies readonly SessionSource[];
export const SESSION_SOURCE: Record<SessionSource, string> = {
  run: "Ran here",
  client: "Recorded by a client",
  otlp: "Came as spans",
};

const OPEN: readonly SessionStatus[] = ["queued", "running", "waiting", "stalled"];

export function isOpen({ status }: Pick<AgentSession, "status">): boolean {
  return OPEN.includes(status);
}

/** A run of one's own that is over can be run once more; one that ran elsewhere cannot, nor a replay, which is of its eval run. */
export function canRunAgain({
  status,
  source,
  agent_id,
  purpose,
}: Pick<AgentSession, "status" | "source" | "agent_id" | "purpose">): boolean {
  return !OPEN.includes(status) && source === "run" && agent_id !== null && purpose !== "replay";
}

/** It waits in the inbox until somebody has seen it. */
export function canDismiss({ status, dismissed_at }: Pick<AgentSession, "status" | "dismissed_at">): boolean {
  return (status === "failed" || status === "stalled") && dismissed_at === null;
}

/** From where it began to run to its end, or to now. */
export function durationOf(session: Pick<AgentSession, "status" | "started_at" | "ended_at">, now: number): number | null {
  if (session.started_at === null) return null;
  const end = session.ended_at === null ? (isOpen(session) ? now : null) : Date.parse(session.ended_at);
  return end === null ? null : Math.max(0, end - Date.parse(session.started_at));
}
