/** Inputs of dimensions that are small enough to stand beside many others. */
import { type ChangeEvent, useState } from "react";
import type { Dimension } from "@/api/types";
import { columnsOf } from "../lib/columns";
import { optionLabel } from "../lib/dimensionTypes";
import { numberOf, ratingOf, typeRating } from "../lib/ratingText";
import classes from "./DimensionCell.module.css";

export interface DimensionCellProps {
  dimension: Dimension;
  value: unknown;
  /** Ratings show their values side by side where there is room. */
  asStrip: boolean;
  /** What every input of the table has: its place, its name, and what is wrong with it. */
  shared: object;
  onChange: (value: unknown) => void;
}

type Changed = ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;

function textProps({ value, shared, onChange }: DimensionCellProps) {
  const change = (event: Changed) => onChange(event.currentTarget.value);
  return { ...shared, value: typeof value === "string" ? value : "", onChange: change };
}

export function ChoiceCell(props: DimensionCellProps) {
  return (
    <select {...textProps(props)} className={classes.select}>
      <option value="">–</option>
      {[...new Set(props.dimension.options ?? [])].map((option) => (
        <option key={option} value={option}>
          {optionLabel(option, props.dimension)}
        </option>
      ))}
    </select>
  );
}

export function LineCell(props: DimensionCellProps) {
  return <input {...textProps(props)} type="text" className={classes.text} />;
}

export function LongTextCell(props: DimensionCellProps) {
  return <textarea {...textProps(props)} className={classes.text} rows={1} />;
}

export function RatingCell(props: DimensionCellProps) {
  const columns = props.asStrip ? columnsOf(props.dimension) : [];
  return columns.length > 0 ? <StripInput {...props} columns={columns} /> : <NumberCell {...props} />;
}

/** What is typed stays as it is typed; what it means is told from it. */
export function NumberCell({ value, onChange, shared }: DimensionCellProps) {
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
function StripInput({ value, onChange, shared, columns }: DimensionCellProps & { columns: readonly number[] }) {
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
