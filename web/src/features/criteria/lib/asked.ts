/** What is said beside the input of a dimension, and which kind of line it is. */
import { isNumber } from "@/api/plain";
import type { Dimension } from "@/api/types";
import { isEmpty, shortValue } from "@/features/entities/lib/values";
import type { FieldRules } from "@/features/entity_types/lib/fields";

/** The field that a value leads to, and what the record holds there now. */
export interface Asked extends FieldRules {
  present: unknown;
}

type Rules = FieldRules["rules"];

/** The ends of what a number may be: those of the dimension, else those of the field. */
export function limitsOf({ scale }: Pick<Dimension, "scale">, rules: Rules = {}): { min?: number; max?: number } {
  if (scale) return { min: scale[0], max: scale[1] };
  return {
    ...(isNumber(rules.minimum) ? { min: rules.minimum } : {}),
    ...(isNumber(rules.maximum) ? { max: rules.maximum } : {}),
  };
}

/** "0 to 365 days", "At least 0", or nothing. */
export function rangeText(dimension: Pick<Dimension, "scale" | "step">, field?: FieldRules): string {
  const { min, max } = limitsOf(dimension, field?.rules);
  const unit = field?.unit ? ` ${field.unit}` : "";
  const steps = dimension.step && dimension.step !== 1 ? `in steps of ${dimension.step}` : "";
  const range =
    min !== undefined && max !== undefined
      ? `${min} to ${max}${unit}`
      : min !== undefined
        ? `At least ${min}${unit}`
        : max !== undefined
          ? `At most ${max}${unit}`
          : "";
  return [range, steps].filter(Boolean).join(", ");
}

/** What a reviewer would weigh the answer against. */
export function presentText(field: Asked | undefined): string {
  if (!field) return "";
  return isEmpty(field.present) ? "The record has no value" : `The record has ${withUnit(shortValue(field.present), field.unit)}`;
}

export function withUnit(text: string, unit: string | null | undefined): string {
  return unit ? `${text} ${unit}` : text;
}

export type LineType = "text" | "date" | "datetime-local" | "email" | "url";

const LINE_TYPES: Readonly<Record<string, LineType>> = {
  date: "date",
  "date-time": "datetime-local",
  email: "email",
  uri: "url",
};

export function lineType({ format }: Rules = {}): LineType {
  return (typeof format === "string" ? LINE_TYPES[format] : undefined) ?? "text";
}

/** A moment as the input of one shows it, in the time of whoever looks: `2026-01-31T13:00`. */
export function toLocalTime(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The moment that such an input means, in universal time. */
export function fromLocalTime(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(".000Z", "Z");
}
