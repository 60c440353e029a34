/** How many things wait, as said to people. */
import type { InboxCount } from "@/api/types";

const numbers = new Intl.NumberFormat("en");

/** A plus where more wait than were counted. */
export function countText(count: number, more: boolean): string {
  return `${numbers.format(count)}${more ? "+" : ""}`;
}

/** Of all kinds together; null where nothing waits. */
export function totalText(kinds: readonly Pick<InboxCount, "count" | "more">[]): string | null {
  const total = kinds.reduce((sum, { count }) => sum + count, 0);
  return total === 0 ? null : countText(total, kinds.some(({ more }) => more));
}
