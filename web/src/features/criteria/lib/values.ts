/**
 * Which values a dimension takes: the same rules and words as on the server, before anything is sent.
 * An empty value (null, or text of nothing but spaces) is no value.
 */
import { type Fault, fault, pointer } from "@/api/faults";
import type { Dimension } from "@/api/types";
import { typeRow } from "./dimensionTypes";

export type Values = Readonly<Record<string, unknown>>;

export function checkValues(values: Values, dimensions: readonly Dimension[], at = "/values"): Fault[] {
  const known = new Set(dimensions.map(({ key }) => key));
  const unknown = Object.keys(values)
    .filter((key) => !known.has(key))
    .map((key) => fault(at + pointer(key), "unknown_dimension", "The criteria set has no such dimension"));
  return [
    ...unknown,
    ...dimensions.flatMap((dimension) => valueFaults(values[dimension.key], dimension, at + pointer(dimension.key))),
  ];
}

export function cleanValues(values: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "string" && !value.trim());
}

function valueFaults(value: unknown, dimension: Dimension, at: string): Fault[] {
  if (isEmpty(value)) return dimension.required ? [fault(at, "required", `${dimension.label} is needed`)] : [];
  return typeRow(dimension.type).check(value, dimension, at);
}
