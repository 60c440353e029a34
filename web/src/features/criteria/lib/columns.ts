/** Which values a scale offers: the columns of a Likert matrix, the buttons of a rating. */
import { isNumber } from "@/api/plain";
import type { CriteriaSet, Dimension } from "@/api/types";
import type { Scale } from "./dimensions";

export type DisplayConfig = NonNullable<CriteriaSet["display_config"]>;

export const LIKERT_MATRIX = "likert-matrix";
export const MAX_COLUMNS = 11; // a scale of 0 to 10 still fits on a screen; a wider one is a number
const DEFAULT_STEP = 1; // between the columns when neither dimension nor display says

type Scaled = Pick<Dimension, "scale" | "step">;

/** A row's own scale and step win over those of the matrix. Null if they are unusable. */
export function countColumns(dimension: Scaled, config: DisplayConfig): number | null {
  const scale = dimension.scale ?? config.scale;
  const step = dimension.step || config.step || DEFAULT_STEP;
  if (!scale?.every(isNumber) || !isNumber(step) || step <= 0) return null;
  const steps = (scale[1] - scale[0]) / step;
  return isNumber(steps) && steps >= 0 ? Math.floor(steps + 1e-9) + 1 : null;
}

/** The values of a row from low to high; empty if there are none, or more than a row can show. */
export function columnsOf(dimension: Scaled, config: DisplayConfig = {}): number[] {
  const count = countColumns(dimension, config);
  const scale: Scale | null | undefined = dimension.scale ?? config.scale;
  if (count === null || count < 2 || count > MAX_COLUMNS || !scale) return [];
  const step = dimension.step || config.step || DEFAULT_STEP;
  return Array.from({ length: count }, (_, index) => tidy(scale[0] + index * step));
}

/** 0.1 + 0.2 is shown and sent as 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
