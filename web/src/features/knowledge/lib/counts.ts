/** How much knowledge there is, as tabs say it. Pure. */
import type { KnowledgeCount, KnowledgeType } from "@/api/types";
import { type KnowledgeSearch, WAITS } from "./search";

const MOST = 1000; // where the server ends to count

/** Of a type, or of all, in the state that the list is narrowed to. Null while it is not known. */
export function countOf(
  counts: readonly KnowledgeCount[] | undefined,
  type: KnowledgeType | undefined,
  state: KnowledgeSearch["state"],
): string | null {
  if (!counts) return null;
  const meant = counts.filter((each) => (type === undefined || each.type === type) && (state === undefined || state === WAITS || each.state === state));
  const total = meant.reduce((sum, each) => sum + (state === WAITS ? each.waits : each.count), 0);
  return meant.some(({ count }) => count >= MOST) ? `${total.toLocaleString("en")}+` : total.toLocaleString("en");
}
