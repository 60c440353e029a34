/** An agent and what it runs with, for tests to vary. */
import type { Agent, AgentVersion, ListedAgent, OtlpSource, Tool } from "@/api/types";
import { ada } from "./records";

export const agent: Agent = {
  id: "0190a000-0000-7000-8000-000000000021",
  slug: "filing-reader",
  name: "Filing reader",
  description: "Reads filings",
  active: true,
  is_system: false,
  created_at: "2026-01-01T00:00:00Z",
  created_by: ada,
};

export const listedAgent: ListedAgent = { ...agent, runs_with: null, last_session: null };

export const version: AgentVersion = {
  agent_id: agent.id,
  version: 3,
  config: {
    runtime: "built_in",
    model: "openai:gpt-6",
    base_url: null,
    instructions: "Read the filing.\nBe brief.\n",
    tool_groups: ["entities-read"],
    limits: { requests: 50, tool_calls: 200, tokens: 1_000_000, seconds: 600, cost: null },
    url: null,
    entry_point: null,
  },
  note: "Shorter",
  restored_from: null,
  changed: ["instructions"],
  created_at: "2026-01-03T00:00:00Z",
  created_by: ada,
};

export const tools: Tool[] = [
  ["searchEntities", "entities-read", false],
  ["getEntity", "entities-read", false],
  ["submitResponse", "responses", true],
].map(([name, group, writes]) => ({
  name: String(name),
  group: String(group),
  description: `What ${name} does.`,
  permission: "entities.team.read",
  writes: writes === true,
  idempotent: writes !== true,
  input_schema: {},
  output_schema: {},
}));

export const otlpSource: OtlpSource = {
  service: "support-bot",
  scope: "opentelemetry.instrumentation.openai_v2",
  sdk: "python opentelemetry 1.45.2",
  emitter: "OpenTelemetry GenAI",
  spans: 120,
  requests: 40,
  with_content: 0,
  with_session: 120,
  with_user: 0,
  first_at: "2026-01-01T00:00:00Z",
  last_at: "2026-01-02T00:00:00Z",
  missing: [
    { what: "content", how: "Set `OTEL_A=gen_ai` and `OTEL_B=SPAN_ONLY`" },
    { what: "user", how: "Leave them on" },
  ],
};
