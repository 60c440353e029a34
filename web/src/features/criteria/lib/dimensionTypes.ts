/**
 * The types of dimensions, a row each: what a dimension of the type may say, which values it takes, and how they are
 * read. How it is asked stands in `components/dimensionTypes.tsx`, which has a row each as well.
 */
import { type Fault, fault } from "@/api/faults";
import { isLongerThan, isNumber } from "@/api/plain";
import type { Dimension } from "@/api/types";

export type DimensionType = Dimension["type"];

interface TypeRow {
  label: string;
  /** It has a scale, a step and a weight, and counts towards scores. */
  isNumeric: boolean;
  needsScale: boolean;
  hasOptions: boolean;
  /** Its values are Markdown, and stand in rows of their own. */
  isRich: boolean;
  /** Its values may stand side by side in a narrow cell. */
  isStrip: boolean;
  /** Its cells are as wide as there is room. */
  isWide: boolean;
  /** What the editor begins with. */
  first: { min: number | ""; max: number | ""; weight: number | "" };
  /** What is wrong with a value that is there. */
  check: (value: unknown, dimension: Dimension, at: string) => Fault[];
  /** A value as the record would hold it. */
  inRecord: (value: unknown, dimension: Dimension) => unknown;
}

const MAX_TEXT = 10_000; // a few pages; longer text belongs into richtext
const MAX_RICHTEXT = 100_000; // a long document
const STEP_TOLERANCE = 1e-6; // in steps: 0.1 + 0.2 is on a step of 0.1
const LISTED = 10; // options named in a message that a person can act on

const PLAIN = {
  isNumeric: false,
  needsScale: false,
  hasOptions: false,
  isRich: false,
  isStrip: false,
  isWide: false,
  first: { min: "", max: "", weight: "" },
  inRecord: (value: unknown) => value,
} as const;

const ROWS: Record<DimensionType, TypeRow> = {
  rating: {
    ...PLAIN,
    label: "Rating",
    isNumeric: true,
    needsScale: true,
    isStrip: true,
    first: { min: 1, max: 5, weight: 1 },
    check: numberFaults,
  },
  number: { ...PLAIN, label: "Number", isNumeric: true, check: numberFaults },
  select: { ...PLAIN, label: "Choice", hasOptions: true, check: optionFaults, inRecord: yesOrNo },
  text: { ...PLAIN, label: "Text", isWide: true, check: (value, _dimension, at) => textFaults(value, at, MAX_TEXT) },
  richtext: {
    ...PLAIN,
    label: "Long text",
    isRich: true,
    isWide: true,
    check: (value, _dimension, at) => textFaults(value, at, MAX_RICHTEXT),
  },
};

/** In the order in which the editor offers them. */
export const DIMENSION_TYPES = Object.keys(ROWS) as DimensionType[];

export function typeRow(type: DimensionType): TypeRow {
  return ROWS[type];
}

export function isNumeric(type: DimensionType): boolean {
  return ROWS[type].isNumeric;
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

function optionFaults(value: unknown, { options }: Dimension, at: string): Fault[] {
  if (typeof value !== "string") return [fault(at, "wrong_type", "This is text")];
  const offered = options ?? [];
  return offered.includes(value) ? [] : [fault(at, "not_an_option", `Choose one of ${listed(offered)}`)];
}

function listed(options: readonly string[]): string {
  const shown = options.slice(0, LISTED).join(", ");
  return options.length > LISTED ? `${shown} … (${options.length} in all)` : shown;
}

function textFaults(value: unknown, at: string, longest: number): Fault[] {
  if (typeof value !== "string") return [fault(at, "wrong_type", "This is text")];
  return isLongerThan(value, longest) ? [fault(at, "too_long", `This has at most ${longest} characters`)] : [];
}

/** A choice between "true" and "false" stands for a yes or a no. */
export function isYesOrNo({ options }: Pick<Dimension, "options">): boolean {
  return options?.length === 2 && options.includes("true") && options.includes("false");
}

/** How an option is worded. */
export function optionLabel(option: string, dimension: Pick<Dimension, "options">): string {
  if (!isYesOrNo(dimension)) return option;
  return option === "true" ? "Yes" : "No";
}

function yesOrNo(value: unknown, dimension: Dimension): unknown {
  return isYesOrNo(dimension) && (value === "true" || value === "false") ? value === "true" : value;
}
