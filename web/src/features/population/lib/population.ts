/** What is to be filled in and from what, as the form holds it, and what became of it in words. Pure. */
import type { AgentSession, CriteriaSet, ListedAgent, NewPopulation } from "@/api/types";

export const POPULATOR = "field-populator"; // the agent that every workspace has for it
export const MOST_OF_A_TEXT = 200_000; // the server's limits
export const MOST_CHARACTERS = 400_000;
export const MOST_DOCUMENTS = 20;
export const MOST_IDS = 200;

export interface Document {
  title: string;
  text: string;
}

/** `setId` "" is the default set of the type; no `dimensions` are all of the set. */
export interface PopulationDraft {
  agent: string;
  setId: string;
  dimensions: readonly string[];
  text: string;
  documents: readonly Document[];
  instructions: string;
}

export const EMPTY: PopulationDraft = {
  agent: POPULATOR,
  setId: "",
  dimensions: [],
  text: "",
  documents: [],
  instructions: "",
};

export type Material = Omit<NewPopulation, "id" | "parent_response_id">;

export function toMaterial({ agent, setId, dimensions, text, documents, instructions }: PopulationDraft): Material {
  return {
    agent,
    ...(setId ? { criteria_set_id: setId } : {}),
    ...(dimensions.length > 0 ? { dimensions: [...dimensions] } : {}),
    ...(text.trim() ? { text } : {}),
    ...(documents.length > 0 ? { documents: documents.map((each) => ({ ...each })) } : {}),
    ...(instructions.trim() ? { instructions: instructions.trim() } : {}),
  };
}

/** Sets whose values an agent can propose: those of the record itself, without a point in time. */
export function canBePopulated({ kind, scope }: Pick<CriteriaSet, "kind" | "scope">): boolean {
  return kind !== "temporal" && scope?.type !== "relation";
}

/** Agents that run here. */
export function canRun({ active, runs_with }: Pick<ListedAgent, "active" | "runs_with">): boolean {
  return active && runs_with !== null;
}

/** What keeps texts from being sent; null when nothing does. */
export function tooMuch({ text, documents }: Pick<PopulationDraft, "text" | "documents">): string | null {
  const longest = [text, ...documents.map((each) => each.text)].find((each) => each.length > MOST_OF_A_TEXT);
  if (longest) return `A text has at most ${MOST_OF_A_TEXT.toLocaleString("en")} characters.`;
  if (documents.length > MOST_DOCUMENTS) return `At most ${MOST_DOCUMENTS} files are read at once.`;
  const length = text.length + documents.reduce((sum, each) => sum + each.text.length, 0);
  return length > MOST_CHARACTERS
    ? `All texts together have at most ${MOST_CHARACTERS.toLocaleString("en")} characters.`
    : null;
}

/** Whether a file holds text: one with a zero in it does not. */
export function isText(text: string): boolean {
  return !text.includes("\0");
}

export function isOpen({ status }: Pick<AgentSession, "status">): boolean {
  return status === "queued" || status === "running" || status === "waiting" || status === "stalled";
}

/** What a session that filled in many records says at its end. */
export function outcomeText(output: unknown): string {
  const counts = typeof output === "object" && output !== null ? (output as Record<string, unknown>) : {};
  const count = (key: string) => (typeof counts[key] === "number" ? counts[key] : 0);
  const parts = [
    `${count("completed")} done`,
    ...(count("failed") ? [`${count("failed")} failed`] : []),
    ...(count("cancelled") ? [`${count("cancelled")} cancelled`] : []),
    ...(count("gone") ? [`${count("gone")} not there any more`] : []),
  ];
  return parts.join(", ");
}
