import { useId } from "react";
import classes from "./DimensionInput.module.css";

interface DimensionInputScaleProps<Value extends number | string> {
  columns: readonly Value[];
  value: unknown;
  onChange: (value: Value) => void;
  /** How a value is written, if not as it is. */
  wording?: ((value: Value) => string) | undefined;
  labelledBy: string;
  describedBy?: string | undefined;
  required?: boolean | undefined;
  invalid?: boolean | undefined;
  /** What a value means, read out after it. */
  meaning?: (value: Value) => string | undefined;
  className?: string | undefined;
}

/** One radio button per value of a scale; arrow keys move between them. */
export function DimensionInputScale<Value extends number | string>(props: DimensionInputScaleProps<Value>) {
  const { columns, value, onChange, wording = String, labelledBy, describedBy, required, invalid, meaning, className } = props;
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-required={required || undefined}
      aria-invalid={invalid || undefined}
      className={className ?? classes.scale}
    >
      {columns.map((column) => {
        const means = meaning?.(column);
        return (
          <label key={column} className={classes.value}>
            <input
              type="radio"
              name={name}
              value={column}
              checked={value === column}
              aria-label={means ? `${column}, ${means}` : undefined}
              onChange={() => onChange(column)}
            />
            <span>{wording(column)}</span>
          </label>
        );
      })}
    </div>
  );
}
