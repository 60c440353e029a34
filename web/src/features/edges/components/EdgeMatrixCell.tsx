import { type ChangeEvent, type FocusEvent, useId, useState } from "react";
import type { Dimension } from "@/api/types";
import { columnsOf } from "@/features/criteria/lib/columns";
import { isNumeric } from "@/features/criteria/lib/dimensions";
import { numberOf, ratingOf, typeRating } from "@/features/criteria/lib/ratingText";
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
  const { place, dimension, title, error } = props;
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
      <CellInput {...props} shared={shared} />
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

type CellInputProps = EdgeMatrixCellProps & { shared: object };

function CellInput(props: CellInputProps) {
  const { dimension, value, asStrip, onChange, shared } = props;
  if (isNumeric(dimension.type)) {
    const columns = asStrip && dimension.type === "rating" ? columnsOf(dimension) : [];
    return columns.length > 0 ? <StripInput {...props} columns={columns} /> : <NumberCell {...props} />;
  }
  const text = typeof value === "string" ? value : "";
  const change = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
    onChange(event.currentTarget.value);
  if (dimension.type === "select") {
    return (
      <select {...shared} className={classes.select} value={text} onChange={change}>
        <option value="">–</option>
        {[...new Set(dimension.options ?? [])].map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  if (dimension.type === "richtext") {
    return <textarea {...shared} className={classes.text} rows={1} value={text} onChange={change} />;
  }
  return <input {...shared} type="text" className={classes.text} value={text} onChange={change} />;
}

/** What is typed stays as it is typed; what it means is told from it. */
function NumberCell({ value, onChange, shared }: CellInputProps) {
  const [typed, setTyped] = useState("");
  const shown = numberOf(typed) === (value ?? null) ? typed : value === null || value === undefined ? "" : String(value);
  return (
    <input
      {...shared}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      className={classes.number}
      value={shown}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(numberOf(event.currentTarget.value));
      }}
    />
  );
}

/** The field takes the keys and is what is read out; the values beside each other are for the pointer and the eye. */
function StripInput({ value, onChange, shared, columns }: CellInputProps & { columns: readonly number[] }) {
  const [typed, setTyped] = useState("");
  const shown = ratingOf(columns, typed) === (value ?? null) ? typed : typeof value === "number" ? String(value) : "";
  const choose = (text: string) => {
    setTyped(text);
    onChange(ratingOf(columns, text));
  };
  return (
    <div className={classes.strip} onMouseDown={focusField}>
      <input
        {...shared}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        className={classes.behind}
        value={shown}
        onChange={(event) => choose(typeRating(columns, shown, event.currentTarget.value))}
        onKeyDown={(event) => {
          if (event.key === "Delete" || event.key === "Backspace") choose("");
        }}
      />
      {columns.map((column) => (
        <span
          key={column}
          aria-hidden
          data-chosen={value === column || undefined}
          onClick={() => choose(value === column ? "" : String(column))}
        >
          {column}
        </span>
      ))}
    </div>
  );
}

/** A click on a value leaves the keys where the pointer is. */
function focusField(event: { currentTarget: HTMLElement; preventDefault: () => void }): void {
  event.preventDefault();
  event.currentTarget.querySelector("input")?.focus();
}
