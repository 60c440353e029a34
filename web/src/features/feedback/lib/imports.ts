/** Feedback from elsewhere: what the kinds of files are called, and what a report says. Pure. */
import type { ImportReport } from "@/api/types";
import { plural } from "./words";

export const MAX_FILE = 10_000_000; // characters: the server's limit

const KIND_LABEL: Readonly<Record<string, string>> = {
  "chat-feedback": "Older chat feedback (up or down)",
  rejections: "Older rejected responses",
  langfuse: "Langfuse scores",
  phoenix: "Phoenix annotations",
  langsmith: "LangSmith feedback",
};

export function kindLabel(kind: string): string {
  return KIND_LABEL[kind] ?? kind;
}

/** One rule a line; empty lines say nothing. */
export function parseRules(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/** With a rule for a name that has none yet. */
export function withRule(text: string, name: string): string {
  const lines = parseRules(text);
  return [...lines, `${name}=`].join("\n");
}

export function reportText({ dry_run, read, new: fresh, existing, left_out, rejected }: ImportReport): string {
  const parts = [
    `${plural(fresh, "row")} ${dry_run ? "would be imported" : fresh === 1 ? "was imported" : "were imported"}`,
    existing > 0 && `${existing.toLocaleString("en")} ${existing === 1 ? "is" : "are"} here already`,
    left_out > 0 && `${left_out.toLocaleString("en")} left out`,
    rejected > 0 && `${rejected.toLocaleString("en")} cannot be used`,
  ].filter(Boolean);
  return `${plural(read, "row")} read: ${parts.join(", ")}.`;
}
