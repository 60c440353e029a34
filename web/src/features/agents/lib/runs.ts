/** Where an agent runs, and what keeps it from running here. Pure. */
import type { Agent, AgentVersion, ListedAgent } from "@/api/types";
import type { Runtime } from "./config";

const SHORT: Record<Runtime, string> = { built_in: "Here", http: "Over HTTP", python: "Python function" };

/** Two lines for a list: where it runs, and on what. `installed` is the installation's own model; undefined: not known yet. */
export function whereItRuns(
  { runs_with }: Pick<ListedAgent, "runs_with">,
  installed: string | null | undefined,
): { where: string; model: string | null } {
  if (!runs_with) return { where: "Elsewhere", model: null };
  if (runs_with.runtime !== "built_in") return { where: SHORT[runs_with.runtime], model: null };
  const own = installed === null ? "No model is configured" : (installed ?? null);
  return { where: SHORT.built_in, model: runs_with.model ?? own };
}

/** Whether a run here would end for want of a model. */
export function lacksModel(version: Pick<AgentVersion, "config"> | null, installed: string | null | undefined): boolean {
  if (!version || installed !== null) return false;
  return (version.config.runtime ?? "built_in") === "built_in" && !version.config.model;
}

/** Those that every workspace has; they cannot be switched off. */
export function isSystemAgent(agent: Agent): boolean {
  return "is_system" in agent && agent.is_system === true;
}
