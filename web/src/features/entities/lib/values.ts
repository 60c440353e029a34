/** How a value of a field or of a response is worded and compared. */
const MAX_SHORT = 80; // what fits beside an arrow

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** How an option of a choice is spelled, as the server spells it. */
export function optionText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  return Array.isArray(value) && value.length === 0;
}

export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && sameValue(a[key], b[key]));
}

/** A value as one run of text. Years and ids are not grouped: 2026 stays 2026. */
export function formatValue(value: unknown): string {
  if (isEmpty(value)) return "No value";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return Math.abs(value) < 10_000 ? String(value) : numbers.format(value);
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.map(formatValue).join(", ");
  return JSON.stringify(value);
}

export function shortValue(value: unknown): string {
  const text = formatValue(value).replace(/\s+/g, " ");
  return text.length > MAX_SHORT ? `${text.slice(0, MAX_SHORT - 1)}…` : text;
}

/** The address when it is one that is safe to follow, else null. */
export function safeUrl(value: unknown): string | null {
  if (typeof value !== "string" || !/^https?:\/\//i.test(value.trim())) return null;
  try {
    const url = new URL(value.trim());
    // An address with a password in it shows one host and may mean another.
    return url.username || url.password ? null : url.href;
  } catch {
    return null;
  }
}
