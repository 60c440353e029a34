/** The fields that dimensions lead to, and what these can never hold: the server's rules, as far as they are cheap to
 * repeat before anything is sent. What is not repeated (patterns, other formats, rules between fields) the server says. */
import { type Fault, fault, pointer } from "@/api/faults";
import { isNumber } from "@/api/plain";
import type { Dimension, EntityType } from "@/api/types";
import { optionText, sameValue } from "@/features/entities/lib/values";
import { type FieldRules, findFieldRules } from "@/features/entity_types/lib/fields";
import { typeRow } from "./dimensionTypes";
import { type Values, isEmpty } from "./values";

/** By the key of the dimension. */
export type Targets = ReadonlyMap<string, FieldRules>;

export const NO_TARGETS: Targets = new Map();

/** The field is that of the dimension's `fieldName`, else that of its key; dimensions without one are not there. */
export function findTargets(dimensions: readonly Dimension[], entityType: EntityType | undefined): Targets {
  if (!entityType) return NO_TARGETS;
  const found = dimensions.map(({ key, fieldName }) => [key, findFieldRules(entityType, fieldName ?? key)] as const);
  return new Map(found.filter((entry): entry is [string, FieldRules] => entry[1] !== null));
}

/** Of values that their dimensions take. */
export function checkTargets(values: Values, dimensions: readonly Dimension[], targets: Targets): Fault[] {
  return dimensions.flatMap((dimension) => {
    const value = values[dimension.key];
    const target = targets.get(dimension.key);
    const at = pointer("values", dimension.key);
    if (!target || isEmpty(value) || typeRow(dimension.type).check(value, dimension, at).length > 0) return [];
    return ruleFaults(promotedValue(value, target.rules), target.rules).map(({ code, message }) => fault(at, code, message));
  });
}

type Rules = FieldRules["rules"];
type Refusal = Pick<Fault, "code" | "message">;

/** An option as the boolean or the member of the enum that it stands for. */
function promotedValue(value: unknown, rules: Rules): unknown {
  const members: unknown[] = Array.isArray(rules.enum) ? rules.enum : typesOf(rules).join() === "boolean" ? [true, false] : [];
  return members.find((member) => optionText(member) === value) ?? value;
}

function typesOf({ type }: Rules): unknown[] {
  return (Array.isArray(type) ? type : [type]).filter((each) => each !== undefined && each !== "null");
}

const IS_TYPE: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  number: isNumber,
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
};

function ruleFaults(value: unknown, rules: Rules): Refusal[] {
  const shown = JSON.stringify(value);
  const types = typesOf(rules);
  if (types.length > 0 && !types.some((type) => IS_TYPE[String(type)]?.(value) ?? true)) {
    return [{ code: "type", message: `${shown} is not of type ${types.map((type) => JSON.stringify(type)).join(", ")}` }];
  }
  if (Array.isArray(rules.enum) && !rules.enum.some((member) => sameValue(member, value))) {
    return [{ code: "enum", message: `${shown} is not one of ${rules.enum.map((each) => JSON.stringify(each)).join(", ")}` }];
  }
  if (typeof value === "number") return numberFaults(value, rules);
  return typeof value === "string" ? textFaults(value, rules) : [];
}

const LIMITS = [
  ["minimum", "minimum", (value: number, limit: number) => value >= limit, "less than the minimum"],
  ["maximum", "maximum", (value: number, limit: number) => value <= limit, "greater than the maximum"],
  ["exclusiveMinimum", "exclusive_minimum", (value: number, limit: number) => value > limit, "less than or equal to the minimum"],
  ["exclusiveMaximum", "exclusive_maximum", (value: number, limit: number) => value < limit, "greater than or equal to the maximum"],
] as const;

function numberFaults(value: number, rules: Rules): Refusal[] {
  return LIMITS.flatMap(([keyword, code, isWithin, words]) => {
    const limit = rules[keyword];
    return isNumber(limit) && !isWithin(value, limit) ? [{ code, message: `${value} is ${words} of ${limit}` }] : [];
  });
}

function textFaults(value: string, { minLength, maxLength, format }: Rules): Refusal[] {
  const length = [...value].length; // as the server counts: a sign beyond the first plane is one
  const faults: Refusal[] = [];
  if (isNumber(minLength) && length < minLength) {
    faults.push({ code: "min_length", message: `This has at least ${minLength} characters` });
  }
  if (isNumber(maxLength) && length > maxLength) {
    faults.push({ code: "max_length", message: `This has at most ${maxLength} characters` });
  }
  if (format === "date" && !isDate(value)) faults.push({ code: "format", message: "This is a date, such as 2026-01-31" });
  return faults;
}

function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
