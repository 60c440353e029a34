/** Any value of a program as JSON that the server takes and that is not too long. Pure.
 *
 * What JSON has no form for is shown as text; what cannot be stored (U+0000, half characters) is replaced by U+FFFD.
 */
import { MOST_BYTES } from "./queue.js";

const DEEPEST = 60; // levels; the server takes 100 of a whole body
const LONGEST_SHOWN = 10_000; // characters
const LARGEST = 2 ** 63; // a number from here on becomes text: many programs cannot read it
const SMALLEST = 1e-50; // of a fraction that the server takes; smaller ones become text
const CUT = "…";
const BROKEN = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** An object of at most that many bytes. Values that make it longer are cut to the beginning of their text, the longest first;
 * `cut` says which. */
export function encodeObject(values: object, most = MOST_BYTES): string {
  const plain = plainOf(values, DEEPEST, []) as Record<string, unknown>;
  const text = JSON.stringify(plain);
  return bytesOf(text) <= most ? text : JSON.stringify(fitted(plain, most));
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const cleaned = (text: string): string => text.replace(BROKEN, "\uFFFD");

function shown(value: unknown): string {
  let text: string;
  try {
    text = String(value);
  } catch {
    text = typeof value;
  }
  return cleaned(text.length <= LONGEST_SHOWN ? text : text.slice(0, LONGEST_SHOWN) + CUT);
}

function numberOf(value: number): number | string | null {
  if (!Number.isFinite(value)) return null;
  const size = Math.abs(value);
  return size >= LARGEST || (size > 0 && size < SMALLEST) ? String(value) : value;
}

function plainOf(value: unknown, levels: number, above: readonly object[]): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return cleaned(value);
  if (typeof value === "number") return numberOf(value);
  if (value === undefined) return undefined;
  if (typeof value !== "object") return shown(value);
  if (levels === 0 || above.includes(value)) return CUT;
  try {
    return partsOf(value, levels - 1, [...above, value]);
  } catch {
    return shown(value); // whatever a value does while it is looked at
  }
}

function partsOf(value: object, levels: number, above: readonly object[]): unknown {
  const inner = (each: unknown) => plainOf(each, levels, above) ?? null;
  if (value instanceof Error) return shown(value);
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") {
    return inner((value as { toJSON(): unknown }).toJSON());
  }
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Set) return [...value].map(inner);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const kept = entries.filter(([, each]) => each !== undefined);
  return Object.fromEntries(kept.map(([name, each]) => [shown(name), inner(each)]));
}

/** Short values stay; the others share what they leave. */
function fitted(values: Record<string, unknown>, most: number): Record<string, unknown> {
  const sizes = Object.entries(values).map(([name, value]) => {
    const own = bytesOf(JSON.stringify(name)) + 2;
    return { name, own, size: own + bytesOf(JSON.stringify(value)) };
  });
  let left = most - bytesOf(',"cut":[]') - 2;
  const kept: Record<string, unknown> = { ...values };
  const cut: string[] = [];
  sizes.sort((one, other) => one.size - other.size).forEach(({ name, own, size }, place) => {
    const room = Math.floor(left / (sizes.length - place));
    if (size <= room) {
      left -= size;
      return;
    }
    kept[name] = beginning(values[name], room - 2 * own); // it is named twice
    cut.push(name);
    left -= 2 * own + bytesOf(JSON.stringify(kept[name]));
  });
  return "cut" in values ? kept : { ...kept, cut };
}

/** Of a text, or of the JSON of anything else: at most so many bytes of JSON. */
function beginning(value: unknown, most: number): string | null {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  let length = Math.min(text.length, most);
  for (;;) {
    if (length <= 0) return null;
    const found = cleaned(text.slice(0, length)) + CUT;
    const size = bytesOf(JSON.stringify(found));
    if (size <= most) return found;
    length = Math.min(length - 1, Math.floor((length * most) / size));
  }
}
