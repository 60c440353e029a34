/** What the server counts as a number, as a character and as a quoted text, so that both say the same. */
const MAX_NUMBER = 1e100; // far beyond any measure, and sums of squares are still finite

export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= MAX_NUMBER;
}

/** Code points, not the halves of surrogate pairs. */
export function isLongerThan(text: string, longest: number): boolean {
  return text.length > longest && [...text].length > longest;
}

export function quoted(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  if (!text.includes("'")) return `'${escaped}'`;
  return text.includes('"') ? `'${escaped.replaceAll("'", "\\'")}'` : `"${escaped}"`;
}
