import { useMemo } from "react";
import { useRecordSearch } from "@/features/entities/hooks/useRecordSearch";
import { sortRows } from "@/ui/table/sort";
import { aggregateCells } from "../aggregateMatrix";
import {
  type Matrix,
  type MatrixChoice,
  type Standing,
  SCORE,
  TITLE,
  axisOf,
  nameOf,
  readChoice,
  toBubbles,
  toDots,
  toSearch,
  toStandings,
} from "../lib/matrixView";

/** What the address asks for, computed from values that are already here. */
export function useMatrixView(matrix: Matrix) {
  const { search, change } = useRecordSearch();
  const { dimensions } = matrix;
  const choice = readChoice(search, dimensions);
  const { x, y, z, agg, overlay, sort } = choice;
  const standings = useMemo(() => toStandings(matrix, aggregateCells(matrix, agg)), [matrix, agg]);
  const ranked = useMemo(() => sortRows(standings, sortValue(sort.key), sort.dir), [standings, sort.key, sort.dir]);
  const { dots, total } = useMemo(
    () => (overlay ? toDots(matrix, { x, y } as MatrixChoice) : { dots: [], total: 0 }),
    [matrix, overlay, x, y],
  );
  const picture = useMemo(() => {
    const at = { x, y, z } as MatrixChoice;
    const sizes = ranked.flatMap((row) => (z === null ? [] : (row.values[z] ?? [])));
    const size = z === null ? null : axisOf(z, dimensions, sizes);
    // Large ones first: none hides behind another.
    const bubbles = toBubbles(ranked, at, size).sort((one, other) => other.r - one.r);
    const shown = [...bubbles, ...dots];
    return {
      bubbles,
      xAxis: axisOf(x ?? "", dimensions, shown.map((point) => point.x)),
      yAxis: axisOf(y, dimensions, shown.map((point) => point.y)),
      zLabel: size?.label ?? null,
    };
  }, [ranked, dots, dimensions, x, y, z]);
  return {
    choice,
    ranked,
    ...picture,
    dots,
    responsesDrawn: total,
    choose: (part: Partial<MatrixChoice>) => change(toSearch({ ...choice, ...part }, dimensions)),
  };
}

export function sortValue(key: string): (standing: Standing) => string | number | null {
  if (key === TITLE) return nameOf;
  if (key === SCORE) return ({ score }) => score;
  return ({ values }) => values[key] ?? null;
}
