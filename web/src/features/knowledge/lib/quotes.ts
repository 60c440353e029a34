/** What somebody said, once, however many rows of feedback it made: one rejection is one signal. Pure. */
import type { KnowledgeSupport } from "@/api/types";
import { SOURCE_LABEL } from "@/features/feedback/lib/words";

/** The rows of one signal; at least one. */
export type Quote = [KnowledgeSupport, ...KnowledgeSupport[]];

/** The same words of the same person about the same record or session are one quote, in the order of the first of them. */
export function quotesOf(support: readonly KnowledgeSupport[]): Quote[] {
  const found = new Map<string, Quote>();
  for (const each of support) {
    const said = each.comment === null ? each.feedback_id : each.comment;
    const key = JSON.stringify([each.author?.id ?? null, each.end_user, said, each.entity_id ?? each.session_id]);
    const quote = found.get(key);
    if (quote) quote.push(each);
    else found.set(key, [each]);
  }
  return [...found.values()];
}

/** What tells most of a quote: a row that counts, else one that was lost. */
export function mainOf(quote: Quote): KnowledgeSupport {
  return quote.find(({ counts }) => counts) ?? quote.find(({ lost }) => lost === null) ?? quote[0];
}

/** "rejected response, rejected value". */
export function sourcesOf(quote: Quote): string {
  const labels = quote.map(({ source_type }) => (source_type && source_type in SOURCE_LABEL ? SOURCE_LABEL[source_type as keyof typeof SOURCE_LABEL] : "Feedback"));
  return [...new Set(labels.map((label) => label.toLowerCase()))].join(", ");
}
