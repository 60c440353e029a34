import { useMemo } from "react";
import { useRecordSearch } from "@/features/entities/hooks/useRecordSearch";
import { sortRows } from "@/ui/table/sort";
import { aggregateCells } from "../lib/aggregateMatrix";
import {
  type Matrix,
  type MatrixChoice,
  type Standing,
  NO_OVERLAY,
  NO_PICTURE,
  SCORE,
  TITLE,
  axisOf,
  nameOf,
  readChoice,
  toBubbles,
  toDots,
  toSearchOf,
  toStandings,
} from "../lib/matrixView";

interface Pictured {
  criteriaSetId: string;
  /** The page may show such a picture of another criteria set: then the address says which one it is about. */
  isOneOfSeveral: boolean;
}

/** What the address asks for, computed from values that are already here. */
export function useMatrixView(matrix: Matrix, { criteriaSetId, isOneOfSeveral }: Pictured) {
  const { search, change } = useRecordSearch();
  const { dimensions } = matrix;
  const isMeant = search.set === undefined || search.set === criteriaSetId;
  const choice = readChoice(isMeant ? search : {}, dimensions);
  const { x, y, z, agg, overlay, sort } = choice;
  const standings = useMemo(() => toStandings(matrix, aggregateCells(matrix, agg)), [matrix, agg]);
  const ranked = useMemo(() => sortRows(standings, sortValue(sort.key), sort.dir), [standings, sort.key, sort.dir]);
  const { dots, total, drawn } = useMemo(
    () => (overlay ? toDots(matrix, { x, y }) : NO_OVERLAY),
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
    /** Single ratings: how many there are, and how many the dots stand for. */
    total,
    drawn,
    choose: (part: Partial<MatrixChoice>) =>
      change({
        ...(isOneOfSeveral ? { set: criteriaSetId } : {}),
        ...(isMeant ? {} : NO_PICTURE),
        ...toSearchOf(part, choice, dimensions),
      }),
  };
}

export function sortValue(key: string): (standing: Standing) => string | number | null {
  if (key === TITLE) return nameOf;
  if (key === SCORE) return ({ score }) => score;
  return ({ values }) => values[key] ?? null;
}
