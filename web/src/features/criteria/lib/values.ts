/**
 * Which values a dimension takes: the same rules and words as on the server, before anything is sent.
 * An empty value (null, or text of nothing but spaces) is no value.
 */
import { type Fault, fault, pointer } from "@/api/faults";
import { isLongerThan, isNumber } from "@/api/plain";
import type { Dimension } from "@/api/types";
import { isNumeric } from "./dimensions";

export type Values = Readonly<Record<string, unknown>>;

const MAX_TEXT = 10_000; // a few pages; longer text belongs into richtext
const MAX_RICHTEXT = 100_000; // a long document
const STEP_TOLERANCE = 1e-6; // in steps: 0.1 + 0.2 is on a step of 0.1
const LISTED = 10; // options named in a message that a person can act on

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
  if (isNumeric(dimension.type)) return numberFaults(value, dimension, at);
  if (typeof value !== "string") return [fault(at, "wrong_type", "This is text")];
  if (dimension.type === "select") {
    const options = dimension.options ?? [];
    return options.includes(value) ? [] : [fault(at, "not_an_option", `Choose one of ${listed(options)}`)];
  }
  const longest = dimension.type === "richtext" ? MAX_RICHTEXT : MAX_TEXT;
  return isLongerThan(value, longest) ? [fault(at, "too_long", `This has at most ${longest} characters`)] : [];
}

function numberFaults(value: unknown, { scale, step }: Dimension, at: string): Fault[] {
  if (!isNumber(value)) return [fault(at, "wrong_type", "This is a finite number")];
  if (scale && !(scale[0] <= value && value <= scale[1])) {
    return [fault(at, "out_of_scale", `This is a number from ${scale[0]} to ${scale[1]}`)];
  }
  if (step && !isOnStep(value, step, scale ? scale[0] : 0)) {
    return [fault(at, "off_step", `This goes in steps of ${step}${scale ? ` from ${scale[0]}` : ""}`)];
  }
  return [];
}

function isOnStep(value: number, step: number, start: number): boolean {
  const steps = (value - start) / step;
  return isNumber(steps) && Math.abs(steps - Math.round(steps)) <= STEP_TOLERANCE;
}

function listed(options: readonly string[]): string {
  const shown = options.slice(0, LISTED).join(", ");
  return options.length > LISTED ? `${shown} … (${options.length} in all)` : shown;
}
