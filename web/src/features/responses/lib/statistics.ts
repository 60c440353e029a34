/** What many said about each dimension, in words for a table. Pure. */
import type { Dimension, EntityResponse, ResponseAggregation } from "@/api/types";
import { APART } from "@/features/entities/lib/score";

export type DimensionStatistics = ResponseAggregation["dimensions"][number];

const figures = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

export function formatFigure(value: number | null): string {
  return value === null ? "–" : figures.format(value);
}

/** How often each option was chosen, those that were. */
export function describeFrequencies(frequencies: Record<string, number> | null): string {
  const chosen = Object.entries(frequencies ?? {}).filter(([, times]) => times > 0);
  return chosen.map(([option, times]) => `${option} ${times}×`).join(", ");
}

/** The dimensions of some responses, as the newest of those that has one knows it. */
export function dimensionsOf(responses: readonly EntityResponse[]): Dimension[] {
  const newestFirst = [...responses].sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
  const found = new Map<string, Dimension>();
  for (const { criteria_snapshot } of newestFirst) {
    for (const dimension of criteria_snapshot) if (!found.has(dimension.key)) found.set(dimension.key, dimension);
  }
  return [...found.values()];
}

/** Whether numbers on a scale are as far apart as scores of which one is good and the other weak. */
export function areApart({ scale }: Dimension, values: readonly unknown[]): boolean {
  const numbers = values.filter((value): value is number => typeof value === "number");
  if (!scale || numbers.length < 2) return false;
  const [low, high] = scale;
  return ((Math.max(...numbers) - Math.min(...numbers)) / (high - low)) * 100 >= APART;
}
