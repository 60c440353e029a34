import { type FocusEvent, useId } from "react";
import type { Dimension } from "@/api/types";
import { ASKED } from "@/features/criteria/components/dimensionTypes";
import classes from "./EdgeMatrix.module.css";

interface EdgeMatrixCellProps {
  /** Where it stands, for the keys that lead to it. */
  place: string;
  dimension: Dimension;
  /** What the row is about. */
  title: string;
  value: unknown;
  error: string | undefined;
  /** Ratings show their values side by side where there is room. */
  asStrip: boolean;
  onChange: (value: unknown) => void;
}

/** One answer of a matrix, small enough to stand beside many others. */
export function EdgeMatrixCell(props: EdgeMatrixCellProps) {
  const id = useId();
  const { place, dimension, title, value, error, asStrip, onChange } = props;
  const { Cell } = ASKED[dimension.type];
  const shared = {
    "data-cell": place,
    "aria-label": `${dimension.label} of ${title}${rangeOf(dimension)}`,
    "aria-required": dimension.required || undefined,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? id : undefined,
    onFocus: selectAll,
  };
  return (
    <>
      <Cell dimension={dimension} value={value} asStrip={asStrip} shared={shared} onChange={onChange} />
      {error && (
        <div className={classes.error} id={id}>
          {error}
        </div>
      )}
    </>
  );
}

/** Typing replaces what stands in a cell, as in a spreadsheet. */
function selectAll(event: FocusEvent<HTMLElement>): void {
  const field = event.currentTarget;
  if (field instanceof HTMLInputElement) field.select();
}

function rangeOf({ scale }: Dimension): string {
  return scale ? `, ${scale[0]} to ${scale[1]}` : "";
}
