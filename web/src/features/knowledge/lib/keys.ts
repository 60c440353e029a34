/** What can be done by key with knowledge. */
import type { KnowledgeState } from "@/api/types";

export const KNOWLEDGE_ACTS = {
  Enter: "open",
  ArrowRight: "open",
  Escape: "back",
  ArrowLeft: "back",
  a: "approve",
  e: "edit",
  s: "shadow",
  d: "dismiss",
  r: "retire",
  t: "retype",
  m: "measure",
} as const;
export type KnowledgeAct = (typeof KNOWLEDGE_ACTS)[keyof typeof KNOWLEDGE_ACTS];
/** What moves it from state to state; the server has the last word. */
export type Step = Extract<KnowledgeAct, "approve" | "shadow" | "dismiss" | "retire">;

export const STEPS: Record<KnowledgeState, readonly Step[]> = {
  proposed: ["approve", "shadow", "dismiss"],
  shadow: ["approve", "retire", "dismiss"],
  active: ["approve", "shadow", "retire"],
  retired: ["approve"],
  rejected: ["approve"],
};

/** What a step is called, and what it makes of it. */
export const STEP_LOOK: Record<Step, { label: string; letter: string; to: "active" | "shadow" | "rejected" | "retired"; means: string }> = {
  approve: { label: "Approve", letter: "a", to: "active", means: "It is in the prompts of its scope from now on." },
  shadow: { label: "To shadow", letter: "s", to: "shadow", means: "It is out of prompts, to be tried out." },
  dismiss: { label: "Reject", letter: "d", to: "rejected", means: "It is not taken up. It is proposed again only when two more say the same." },
  retire: { label: "Retire", letter: "r", to: "retired", means: "It is out of prompts, and stays to be read." },
};

/** What the step is called for a row in this state. */
export function stepLabel(step: Step, state: KnowledgeState): string {
  if (step !== "approve") return STEP_LOOK[step].label;
  if (state === "active") return "Approve again";
  return state === "retired" || state === "rejected" ? "Bring back" : "Approve";
}

export const KNOWLEDGE_KEYS = [
  { keys: ["j", "↓"], means: "Next" },
  { keys: ["k", "↑"], means: "Previous" },
  { keys: ["Enter", "→"], means: "Open what it rests on" },
  { keys: ["Esc", "←"], means: "Back to the list" },
  { keys: ["a"], means: "Approve, with what that does to prompts" },
  { keys: ["e"], means: "Edit" },
  { keys: ["t"], means: "Change its type" },
  { keys: ["s"], means: "To shadow, out of prompts" },
  { keys: ["r"], means: "Retire" },
  { keys: ["d"], means: "Reject a proposal" },
  { keys: ["m"], means: "Measure what it is worth" },
  { keys: ["n"], means: "New" },
  { keys: ["u"], means: "Undo the last decision" },
  { keys: ["/"], means: "Filter by words; Esc goes back to the list" },
  { keys: ["?"], means: "Show these keys" },
] as const;
