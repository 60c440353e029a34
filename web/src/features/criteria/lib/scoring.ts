/**
 * The score of a response, as the server will compute it:
 *
 *     weighted   = Σ w·v / Σ w                                on the scales as they are
 *     normalized = Σ w·clamp((v − min) / (max − min)) / Σ w   from 0 to 1
 *
 * over the numbers and ratings that have a weight, a scale and a value. Both are rounded to twelve digits, and
 * null when nothing counts.
 */
import { isNumber, settle } from "@/api/plain";
import type { Dimension } from "@/api/types";
import { isNumeric } from "./dimensionTypes";
import type { Values } from "./values";

export interface Score {
  weighted: number | null;
  normalized: number | null;
}

const NO_SCORE: Score = { weighted: null, normalized: null };

interface Term {
  weight: number;
  value: number;
  share: number;
}

export function computeResponseScore(values: Values, dimensions: readonly Dimension[]): Score {
  const terms = dimensions.flatMap((dimension) => termOf(values[dimension.key], dimension) ?? []);
  const total = sum(terms, ({ weight }) => weight);
  if (!(total > 0)) return NO_SCORE;
  return {
    weighted: settle(sum(terms, ({ weight, value }) => weight * value) / total),
    normalized: clamp(settle(sum(terms, ({ weight, share }) => weight * share) / total)),
  };
}

/** Whether a value of it counts towards the score. */
export function isScored({ type, weight, scale }: Dimension): boolean {
  return isNumeric(type) && Boolean(weight) && Boolean(scale && scale[0] < scale[1]);
}

function termOf(value: unknown, { type, weight = null, scale = null }: Dimension): Term | null {
  if (!isNumeric(type) || weight === null || scale === null || !isNumber(value)) return null;
  const [low, high] = scale;
  return low < high ? { weight, value, share: clamp((value - low) / (high - low)) } : null;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function sum(terms: readonly Term[], of: (term: Term) => number): number {
  return terms.reduce((total, term) => total + of(term), 0);
}
