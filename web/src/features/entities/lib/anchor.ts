/** The part of a record's address that leads to one of its fields. */
const PREFIX = "field-";

export function fieldAnchor(field: string): string {
  return `${PREFIX}${field}`;
}

/** The field that an address leads to: its own name, or the object that it is in (`escalation.contact`). */
export function anchoredField(hash: string, keys: readonly string[]): string | undefined {
  const plain = decoded(hash);
  if (!plain.startsWith(PREFIX)) return undefined;
  const name = plain.slice(PREFIX.length);
  return keys.find((key) => key === name) ?? keys.find((key) => name.startsWith(`${key}.`));
}

function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}
