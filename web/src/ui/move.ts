/** A copy with one item moved up or down; the ends stay ends. */
export function moved<Item>(items: readonly Item[], from: number, delta: number): Item[] {
  const to = Math.min(items.length - 1, Math.max(0, from + delta));
  const copy = [...items];
  const [item] = copy.splice(from, 1);
  if (item !== undefined) copy.splice(to, 0, item);
  return copy;
}
