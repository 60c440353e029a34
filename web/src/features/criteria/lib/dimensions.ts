/** What one dimension may be: the same rules and words as on the server, before anything is sent. */
import { type Fault, fault } from "@/api/faults";
import { isLongerThan, isNumber, quoted } from "@/api/plain";
import type { Dimension } from "@/api/types";
import { typeRow } from "./dimensionTypes";

export type Scale = [number, number];

export const KEY = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u;
const MAX_LABEL = 200; // one line above an input
const MAX_DESCRIPTION = 2000; // a help text, not a document
const MAX_FIELD_NAME = 200;
const MAX_OPTIONS = 500; // a list of countries fits
const MAX_OPTION = 200; // one line of a list
const MIN_STEP = 1e-9; // finer than any rating

export function checkDimension(dimension: Dimension, at: string): Fault[] {
  const faults: Fault[] = [];
  if (!KEY.test(dimension.key)) {
    faults.push(
      fault(
        `${at}/key`,
        dimension.key ? "invalid_key" : "empty_key",
        "A key has 1 to 100 letters, digits, _ . or -, and begins with a letter, a digit or _",
      ),
    );
  }
  faults.push(
    ...checkText(dimension.label, `${at}/label`, MAX_LABEL),
    ...checkText(dimension.description, `${at}/description`, MAX_DESCRIPTION, true),
    ...checkText(dimension.fieldName, `${at}/fieldName`, MAX_FIELD_NAME),
    ...numericFaults(dimension, at),
    ...optionFaults(dimension, at),
  );
  const weight = dimension.weight ?? null;
  if (weight !== null && !(isNumber(weight) && weight >= 0 && weight <= 1)) {
    faults.push(fault(`${at}/weight`, "weight_out_of_range", "A weight is a number from 0 to 1"));
  }
  return faults;
}

/** An absent text is the caller's matter. */
export function checkText(text: string | null | undefined, at: string, longest: number, mayBeEmpty = false): Fault[] {
  if (text === null || text === undefined) return [];
  if (text.includes("\0")) return [fault(at, "nul_character", "Text may not contain the character U+0000")];
  if (!text.trim() && !mayBeEmpty) return [fault(at, "empty", "This may not be empty")];
  return isLongerThan(text, longest) ? [fault(at, "too_long", `This has at most ${longest} characters`)] : [];
}

/** A scale goes up, and a step leads from its lower end to another value on it. */
export function checkScale(scale: Scale | null | undefined, step: number | null | undefined, at: string): Fault[] {
  const faults: Fault[] = [];
  const usable = scale?.every(isNumber) ?? false;
  if (scale && !usable) {
    faults.push(fault(`${at}/scale`, "scale_not_finite", "Both ends of a scale are finite numbers"));
  } else if (scale && scale[0] >= scale[1]) {
    faults.push(fault(`${at}/scale`, "scale_upside_down", "A scale is [min, max] with min below max"));
  }
  if (step === null || step === undefined) return faults;
  if (!(isNumber(step) && step >= MIN_STEP)) {
    faults.push(fault(`${at}/step`, "invalid_step", "A step is a finite number of at least 1e-09"));
  } else if (scale && usable && scale[1] > scale[0] && scale[1] - scale[0] < step) {
    faults.push(fault(`${at}/step`, "step_too_large", "A step is no larger than the scale"));
  }
  return faults;
}

function numericFaults(dimension: Dimension, at: string): Fault[] {
  const { isNumeric, needsScale } = typeRow(dimension.type);
  if (isNumeric) {
    const faults = checkScale(dimension.scale, dimension.step, at);
    if (needsScale && !dimension.scale) {
      faults.push(fault(`${at}/scale`, "scale_missing", "A rating needs a scale"));
    }
    return faults;
  }
  return (["scale", "step"] as const)
    .filter((name) => dimension[name] !== null && dimension[name] !== undefined)
    .map((name) => fault(`${at}/${name}`, `${name}_not_numeric`, `Only numbers and ratings have a ${name}`));
}

function optionFaults(dimension: Dimension, at: string): Fault[] {
  const options = dimension.options ?? null;
  if (!typeRow(dimension.type).hasOptions) {
    return options === null ? [] : [fault(`${at}/options`, "options_not_select", "Only a select has options")];
  }
  if (!options?.length) return [fault(`${at}/options`, "options_missing", "A select needs at least one option")];
  const faults: Fault[] = [];
  if (options.length > MAX_OPTIONS) {
    faults.push(fault(`${at}/options`, "too_many", `A select has at most ${MAX_OPTIONS} options`));
  }
  const seen = new Set<string>();
  options.forEach((option, place) => {
    faults.push(...checkText(option, `${at}/options/${place}`, MAX_OPTION));
    if (seen.has(option)) {
      faults.push(fault(`${at}/options/${place}`, "duplicate_option", `${quoted(option)} is there twice`));
    }
    seen.add(option);
  });
  return faults;
}
