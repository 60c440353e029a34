/** How many responses to a record wait for review, in words. */

const MOST = 100; // the server counts no further

/** The number alone, with a plus where there may be more. */
export function waitingCount(waiting: number): string {
  return waiting >= MOST ? `${MOST}+` : String(waiting);
}

export function waitingText(waiting: number): string {
  return waiting === 1 ? "1 proposal waits" : `${waitingCount(waiting)} proposals wait`;
}
