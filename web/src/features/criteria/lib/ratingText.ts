/** What typing means in a cell that shows the values of a scale side by side, and where they can. Pure. */
import type { Dimension } from "@/api/types";
import { columnsOf } from "./columns";
import { typeRow } from "./dimensionTypes";

/**
 * The text after a key: it goes on with what stands there, or begins anew, or changes nothing;
 * never something that leads to no value of the scale.
 */
export function typeRating(columns: readonly number[], before: string, typed: string): string {
  const leads = (text: string) => text === "" || columns.some((column) => String(column).startsWith(text));
  const next = typed.trim().replace(",", ".");
  if (leads(next)) return next;
  const added = next.startsWith(before) ? next.slice(before.length) : next.slice(-1);
  return added !== "" && leads(added) ? added : before;
}

/** Null while the text is no value of the scale yet, as "-" of −1. */
export function ratingOf(columns: readonly number[], text: string): number | null {
  if (text === "") return null;
  return columns.find((column) => column === Number(text)) ?? null;
}

/** What was typed as a number: the number, nothing, or the text itself, so that it can be called wrong. */
export function numberOf(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const plain = /^[-+]?\d+,\d+$/.test(trimmed) ? trimmed.replace(",", ".") : trimmed;
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : text;
}

const WIDEST_STRIP = 7; // values side by side
const MOST_STRIPS = 4; // columns of them beside a title on a laptop

/** Whether the values of every rating can stand side by side without pushing the rest off the screen. */
export function stripsFit(dimensions: readonly Dimension[]): boolean {
  const ratings = dimensions.filter(({ type }) => typeRow(type).isStrip);
  return ratings.length <= MOST_STRIPS && ratings.every((rating) => columnsOf(rating).length <= WIDEST_STRIP);
}
