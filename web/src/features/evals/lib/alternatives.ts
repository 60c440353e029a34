/** What somebody pastes to name a session. Pure. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** The id of a session from its id or its address; null where there is none, or more than one. */
export function sessionIdOf(pasted: string): string | null {
  const found = [...new Set(pasted.match(ID)?.map((id) => id.toLowerCase()))];
  return found.length === 1 ? (found[0] as string) : null;
}
