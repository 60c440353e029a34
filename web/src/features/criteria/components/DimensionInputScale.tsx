import { useId } from "react";
import classes from "./DimensionInput.module.css";

interface DimensionInputScaleProps {
  columns: readonly number[];
  value: unknown;
  onChange: (value: number) => void;
  labelledBy: string;
  describedBy?: string | undefined;
  required?: boolean | undefined;
  invalid?: boolean | undefined;
  /** What a value means, read out after it. */
  meaning?: (value: number) => string | undefined;
  className?: string | undefined;
}

/** One radio button per value of a scale; arrow keys move between them. */
export function DimensionInputScale(props: DimensionInputScaleProps) {
  const { columns, value, onChange, labelledBy, describedBy, required, invalid, meaning, className } = props;
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
            <span>{column}</span>
          </label>
        );
      })}
    </div>
  );
}
