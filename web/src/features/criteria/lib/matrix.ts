/** How the rows of a Likert matrix stand together, and what its columns mean. */
import type { Dimension } from "@/api/types";
import { type DisplayConfig, columnsOf } from "./columns";

/** Neighbouring rows that have the same columns. */
export function bandsOf(rows: readonly Dimension[], config: DisplayConfig): Dimension[][] {
  const bands: Dimension[][] = [];
  let before = "";
  for (const row of rows) {
    const columns = columnsOf(row, config).join();
    const band = bands.at(-1);
    if (band && columns === before) band.push(row);
    else bands.push([row]);
    before = columns;
  }
  return bands;
}

/** The label of the first, the middle or the last column; a matrix of even width has no middle one. */
export function anchorOf(column: number, columns: readonly number[], config: DisplayConfig): string | undefined {
  const labels = config.anchorLabels;
  const place = columns.indexOf(column);
  if (!labels || place < 0) return undefined;
  if (place === 0) return labels.min;
  if (place === columns.length - 1) return labels.max;
  return place * 2 === columns.length - 1 ? (labels.mid ?? undefined) : undefined;
}
