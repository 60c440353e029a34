/** What the types, states and flags of knowledge are called, and what happened to it. */
import type {
  Knowledge,
  KnowledgeEntry,
  KnowledgeFlag,
  KnowledgeNeighbour,
  KnowledgeState,
  KnowledgeSupport,
  KnowledgeType,
  ManifestRow,
} from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { plural } from "@/features/feedback/lib/words";
import { valueOf } from "./value";

/** In the order in which prompts have them. */
export const TYPES = ["correction", "lesson", "routing", "insight", "guideline"] as const satisfies readonly KnowledgeType[];
export const TYPE_LOOK: Record<KnowledgeType, { label: string; many: string; means: string }> = {
  correction: { label: "Correction", many: "Corrections", means: "What agents got wrong, and how it is right" },
  lesson: { label: "Lesson", many: "Lessons", means: "What went wrong on the way, and how to go about it" },
  routing: { label: "Routing", many: "Routing", means: "Which agent or tool is for what" },
  insight: { label: "Insight", many: "Insights", means: "A pattern that was noticed" },
  guideline: { label: "Guideline", many: "Guidelines", means: "How this workspace wants things done" },
};

export const STATES = ["proposed", "shadow", "active", "retired", "rejected"] as const satisfies readonly KnowledgeState[];
export const STATE_LOOK: Record<KnowledgeState, { label: string; color: string; means: string }> = {
  proposed: { label: "Proposed", color: "blue", means: "It waits for a person to decide" },
  shadow: { label: "Shadow", color: "orange", means: "It is out of prompts: tried out, or it has lost support" },
  active: { label: "Active", color: "green", means: "It is in the prompts of its scope" },
  retired: { label: "Retired", color: "gray", means: "It was active, and is no more" },
  rejected: { label: "Rejected", color: "gray", means: "A proposal that was not taken up" },
};

export const FLAG_LOOK: Record<KnowledgeFlag, { label: string; color?: string; means: string }> = {
  lost_support: { label: "Lost support", means: "Feedback that it rests on was dismissed, rated anew or erased" },
  reread: { label: "Read again", means: "What was lost is where a number or a name of it came from" },
  suspicious: { label: "Suspicious", means: "Its words, or those of its feedback, read like an order to a model" },
  recurs: { label: "Does not help", means: "The same is complained of by those who had it in their prompts" },
  contradicted: { label: "Contradicted", means: "A newer row says nearly the same with another number or name" },
  unused: { label: "Unused", means: "No prompt has held it for long, and nobody has confirmed it" },
  outdated: { label: "Outdated", means: "An agent says that it holds no more" },
  harms: { label: "Harms", color: "red", means: "Replays with it pass less often than replays without it" },
  helps: { label: "Helps", color: "green", means: "Replays with it pass more often than replays without it, and no prompt holds it" },
};

export const LIKENESS_LOOK: Record<KnowledgeNeighbour["likeness"], { label: string; color: string; means: string }> = {
  duplicate: { label: "Says the same", color: "orange", means: "One of the two is enough" },
  conflict: { label: "Contradicts", color: "red", means: "They read alike and differ in a number or a name" },
  near: { label: "Reads alike", color: "gray", means: "They are about one matter" },
};

/** What a likeness means, and how it is known. */
export function likenessText({ likeness, stated, similarity }: Pick<KnowledgeNeighbour, "likeness" | "stated" | "similarity">): string {
  if (stated) return "Whoever wrote one of them says that they contradict each other.";
  return `${LIKENESS_LOOK[likeness].means}. Alike ${Math.round(similarity * 100)}\u00a0%.`;
}

/** How many signals support it, or who stands for it where none does. */
export function supportOf({ origins, standing }: Pick<Knowledge, "origins" | "standing">): string {
  if (origins > 0) return plural(origins, "origin");
  return standing === "person" ? "A person" : "None";
}

/** Whether its words were copied out of feedback, and a person must say what is meant before it is approved. */
export function needsWording({ type, wording }: Pick<Knowledge, "type" | "wording">): boolean {
  return type === "correction" && !wording;
}

/** Why what somebody said counts for nothing; null where it counts. */
export function whyLost({ lost, echo, counts }: Pick<KnowledgeSupport, "lost" | "echo" | "counts">): string | null {
  if (lost === "dismissed") return "Lost: it was dismissed";
  if (lost === "rated_anew") return "Lost: whoever gave it thinks otherwise by now";
  if (lost === "moved") return "Lost: it was taken out of its group";
  if (echo) return "Echo: its words come from knowledge that was in its prompt";
  return counts ? null : "No signal: a machine scored it elsewhere";
}

const DID: Record<KnowledgeEntry["change"], string> = {
  created: "wrote it down",
  edited: "changed it",
  approved: "approved it",
  shadowed: "took it out of prompts, to be tried out",
  retired: "retired it",
  rejected: "rejected it",
  support: "Its support changed",
  undone: "took the last decision back",
};

/** One line of a history: who did what, and where that led. */
export function happenedOf({ change, state, state_before, actor, after }: KnowledgeEntry): string {
  const moved = state_before && state_before !== state ? `, ${state_before} → ${state}` : "";
  if (change === "support") return `${DID.support}${moved}`;
  const did = change === "created" && after.decided === "proposed" ? "proposed it" : DID[change];
  return `${partyName(actor)} ${did}${moved}`;
}

/** What of it was changed by an edit, in the words of its form. */
export function changedParts({ before, after }: Pick<KnowledgeEntry, "before" | "after">): string[] {
  if (!before) return [];
  const parts = [
    before.content !== after.content && "content",
    before.context !== after.context && "when it applies",
    before.type !== after.type && `type (${before.type} → ${after.type})`,
    (before.agent_id !== after.agent_id || before.entity_type_id !== after.entity_type_id) && "where it holds",
    before.pinned !== after.pinned && (after.pinned ? "pinned" : "not pinned any more"),
  ];
  return parts.filter((part) => part !== false);
}

/** What speaks for a line of a prompt now: "2 origins, confirmed 3 times, unmeasured". */
export function speaksFor({ type, origins, confirmations, value, state }: Pick<ManifestRow, "type" | "origins" | "confirmations" | "value" | "state">): string {
  if (type === null || state === null) return "it was deleted since";
  const signals = origins ? plural(origins, "origin") : "no feedback";
  const confirmed = confirmations ? `confirmed ${plural(confirmations, "time")}` : null;
  return [signals, confirmed, value ? lower(valueOf({ value, state })) : "unmeasured"].filter(Boolean).join(", ");
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** What a line of a prompt says, without what models know it by. */
export function lineWords(line: string): string {
  return line.replace(/^- (\[[^\]]*\] )?/, "");
}
