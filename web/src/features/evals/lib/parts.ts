/** A list in parts of at most so many. Pure. */
export function inParts<T>(items: readonly T[], most: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += most) parts.push(items.slice(start, start + most));
  return parts;
}
