/** Sessions and their events, for tests to vary. */
import type { AgentSession, SessionEvent } from "@/api/types";
import { ada, northwind } from "./records";

export const SESSION_BEGAN = "2026-01-05T10:00:00.000Z";

export const agentSession: AgentSession = {
  id: "0190a000-0000-7000-8000-000000000201",
  external_id: null,
  manifest: null,
  type: "agent",
  status: "completed",
  source: "run",
  purpose: "prompt",
  agent: "filing-reader",
  agent_id: "0190a000-0000-7000-8000-000000000021",
  agent_version: 3,
  entity_id: northwind.id,
  task_id: null,
  parent_session_id: null,
  conversation: null,
  input: { message: "Is the revenue right?" },
  output: null,
  error: null,
  question: null,
  progress: null,
  first_message: "Is the revenue right?",
  events: 6,
  requests: 1,
  tool_calls: 1,
  input_tokens: 1204,
  output_tokens: 88,
  cost: 0.0021,
  metadata: {},
  created_at: SESSION_BEGAN,
  started_at: SESSION_BEGAN,
  last_at: "2026-01-05T10:00:04.200Z",
  ended_at: "2026-01-05T10:00:04.200Z",
  dismissed_at: null,
  created_by: ada,
};

/** An event `after` so many milliseconds. */
export function event(seq: number, type: string, payload: SessionEvent["payload"] = {}, after = seq * 100): SessionEvent {
  return {
    seq,
    id: `0190a000-0000-7000-8000-${String(seq).padStart(12, "0")}`,
    type,
    at: new Date(Date.parse(SESSION_BEGAN) + after).toISOString(),
    payload,
    whole: true,
  };
}

export const asked = event(2, "user.message", { text: "Is the **revenue** right?" });
export const called = event(5, "tool.call", { id: "c1", name: "readFiling", arguments: { year: 2025 } }, 2000);

export const sessionEvents: SessionEvent[] = [
  event(1, "session.created", { agent: "filing-reader" }, 0),
  asked,
  event(3, "model.request", { model: "gpt-6", instructions: "Be brief.", messages: [{ role: "user", content: "Is the revenue right?" }] }, 300),
  event(4, "model.response", { model: "gpt-6", input_tokens: 1204, output_tokens: 88, duration_ms: 1500 }, 1800),
  called,
  event(6, "tool.result", { id: "c1", result: { revenue: 43.2 } }, 2600),
];
