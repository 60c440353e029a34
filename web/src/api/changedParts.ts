/** The parts of a body that differ from what was read: what is not sent stays as the server has it. */
export function changedParts<Body extends object>(before: Body, after: Body): Partial<Body> {
  const parts = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof Body]),
  );
  return Object.fromEntries(parts) as Partial<Body>;
}

/** In people's words, the parts that both changed since, and not to the same: one of the two replaces the other. */
export function partsChangedByBoth<Body extends object>(
  before: Body,
  mine: Body,
  theirs: Body,
  words: Record<keyof Body, string>,
): string[] {
  const [own, other] = [changedParts(before, mine), changedParts(before, theirs)];
  const both = Object.keys(changedParts(theirs, mine)).filter((key) => key in own && key in other);
  return [...new Set(both.map((key) => words[key as keyof Body]))];
}
