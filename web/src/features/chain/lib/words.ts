/** What the chain's words are called by people. */
import type { Chain, ChainItem, ChainNode, ChainRelation, NodeKind } from "@/api/types";

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

/** What became of something since it was listed. */
export const CHANGE: Record<NonNullable<ChainItem["changed"]>, string> = {
  rewritten: "Written anew since",
  decided: "Decided since",
  gone: "Gone since",
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

const NAME_CHARACTERS = 60; // of a title within a sentence: enough to know it by

/** A title as it stands within a sentence. */
export function nameOf(node: Pick<ChainNode, "kind" | "seen" | "title" | "ref">): string {
  const title = titleOf(node);
  return title.length <= NAME_CHARACTERS ? title : `${title.slice(0, NAME_CHARACTERS).trimEnd()}…`;
}

/** Each once, with how often it is there. */
export function counted(sentences: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const each of sentences) times.set(each, (times.get(each) ?? 0) + 1);
  return [...times].map(([words, count]) => (count === 1 ? words : `${words} (${count} times)`));
}

/** A state as people read it: `partially_promoted` is "partially promoted". */
export function stateText(state: string): string {
  return state.replaceAll("_", " ");
}

/** What of a chain is shown, and what is not and why. */
export function chainText({ nodes, hidden, truncated, direction, unused_sessions }: Pick<Chain, "nodes" | "hidden" | "truncated" | "direction" | "unused_sessions">): string {
  const others = nodes.length - 1;
  const isForward = direction === "forward";
  const nothing = isForward ? "Nothing rests on it." : "It rests on nothing that is kept here.";
  const parts = [others === 0 ? nothing : `${countOf(others, "thing")} ${isForward ? (others === 1 ? "rests on it" : "rest on it") : "behind it"}.`];
  if (hidden > 0) parts.push(`${hidden.toLocaleString("en")} of them ${hidden === 1 ? "is" : "are"} not yours to see.`);
  if (unused_sessions > 0) parts.push(unusedText(unused_sessions));
  if (truncated) parts.push("There is more than is shown.");
  return parts.join(" ");
}

/** The sessions of a prompt or an agent that are not shown, because nothing rests on them. */
export function unusedText(count: number): string {
  return `${countOf(count, "other session")} that nothing rests on ${count === 1 ? "is" : "are"} not shown.`;
}

export function countOf(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}
