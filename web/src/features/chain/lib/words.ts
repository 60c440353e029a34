/** What the chain's words are called by people. */
import type { ChainItem, ChainNode, ChainRelation, NodeKind } from "@/api/types";

export const KIND: Record<NodeKind, { label: string; color: string }> = {
  field: { label: "Value", color: "gold" },
  record: { label: "Record", color: "gold" },
  claim: { label: "Claim", color: "gold" },
  response: { label: "Response", color: "blue" },
  source: { label: "Source", color: "green" },
  session: { label: "Session", color: "gray" },
  manifest: { label: "Prompt", color: "gray" },
  knowledge: { label: "Knowledge", color: "orange" },
  feedback: { label: "Feedback", color: "red" },
  agent: { label: "Agent", color: "gray" },
  golden: { label: "Golden", color: "gold" },
  user: { label: "Person", color: "green" },
};

/** As in "the value was promoted from the response". */
export const RELATION: Record<ChainRelation, string> = {
  promoted_from: "promoted from",
  counted_from: "counted from",
  edited_by: "written by",
  has: "has the value",
  supported_by: "supported by",
  cites: "cites",
  found_in: "found in",
  submitted_by: "submitted by",
  corrected_by: "tried again after",
  ran_with: "ran with",
  run_by: "run by",
  held: "held",
  learnt_from: "learnt from",
  written_by: "written by",
  about: "about",
  said_by: "said by",
  configured_by: "configured by",
  frozen_from: "frozen from",
  accepts: "accepts",
};

export const VERDICT: Record<NonNullable<ChainItem["verdict"]>, { label: string; color: string }> = {
  kept: { label: "Kept", color: "green" },
  changed: { label: "Changed", color: "blue" },
  removed: { label: "Removed", color: "gray" },
};

const RETRACTABLE: ReadonlySet<NodeKind> = new Set(["source", "record", "field", "feedback", "knowledge", "agent", "session"]);

export function canRetract({ kind, seen, retraction_id }: ChainNode): boolean {
  return RETRACTABLE.has(kind) && seen === "shown" && retraction_id === null;
}

export function titleOf({ kind, seen, title, ref }: Pick<ChainNode, "kind" | "seen" | "title" | "ref">): string {
  if (seen === "hidden") return "Not yours to see";
  if (seen === "gone") return kind === "session" ? "A session that is not kept here" : "Gone";
  return title ?? (kind === "feedback" ? "Without a comment" : ref);
}

/** A state as people read it: `partially_promoted` is "partially promoted". */
export function stateText(state: string): string {
  return state.replaceAll("_", " ");
}

export function countOf(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}
