/** What the server counts as a number, as a character and as a quoted text, so that both say the same. */
const MAX_NUMBER = 1e100; // far beyond any measure, and sums of squares are still finite

export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= MAX_NUMBER;
}

/** To twelve digits: what binary fractions leave beyond them (74.99999999999999 for 75) decides nothing. */
export function settle(number: number): number {
  return Number(number.toPrecision(12));
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
