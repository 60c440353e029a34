/** The parts of a body that differ from what was read: what is not sent stays as the server has it. */
export function changedParts<Body extends object>(before: Body, after: Body): Partial<Body> {
  const parts = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof Body]),
  );
  return Object.fromEntries(parts) as Partial<Body>;
}
