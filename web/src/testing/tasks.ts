/** A task, for tests to vary. */
import type { Task } from "@/api/types";
import { agent } from "./agents";
import { ada } from "./records";

export const task: Task = {
  id: "0190a000-0000-7000-8000-000000000031",
  name: "Greet everybody",
  kind: "prompt",
  agent_id: agent.id,
  agent: agent.slug,
  config: { message: "Greet us." },
  schedule: { cron: "0 9 * * 1-5", timezone: "Europe/Berlin" },
  enabled: true,
  next_at: "2030-01-01T08:00:00Z",
  last_session: null,
  problem: null,
  version: 1,
  created_at: "2026-01-01T00:00:00Z",
  created_by: ada,
  updated_at: "2026-01-01T00:00:00Z",
};
