/** What a turn is called where it cannot be shown: the beginning of what was said in it. Pure. */
import type { TranscriptTurn } from "@/api/types";

const SHOWN = 60; // characters: a line on a phone

/** The first words, without marks of Markdown and line breaks. */
export function excerpt(text: string, shown = SHOWN): string {
  const plain = text
    .slice(0, shown * 4)
    .replaceAll(/[`*#>|\s]+/g, " ")
    .trim();
  return plain.length > shown ? `${plain.slice(0, shown).trimEnd()}…` : plain;
}

/** Of a turn its question, and its answer where nothing was asked. */
export function turnExcerpt({ user, assistant }: Pick<TranscriptTurn, "user" | "assistant">): string {
  return excerpt(user ?? "") || excerpt(assistant ?? "") || "empty";
}

/** The answers that are at hand, by turn. */
export function answersOf(turns: readonly TranscriptTurn[]): Map<string, string> {
  return new Map(turns.map(({ turn_id, user, assistant }) => [turn_id, excerpt(assistant ?? user ?? "")]));
}
