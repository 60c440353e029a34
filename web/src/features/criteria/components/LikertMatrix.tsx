import { useId } from "react";
import type { Dimension } from "@/api/types";
import { type Asked, presentText } from "../lib/asked";
import { type DisplayConfig, columnsOf } from "../lib/columns";
import { anchorOf, bandsOf } from "../lib/matrix";
import { type Values, isEmpty } from "../lib/values";
import { DimensionInputScale } from "./DimensionInputScale";
import { ClearButton } from "./DimensionInputs";
import classes from "./LikertMatrix.module.css";

interface LikertMatrixProps {
  rows: readonly Dimension[];
  config: DisplayConfig;
  values: Values;
  /** By the key of the dimension. */
  errors: Readonly<Record<string, string>>;
  /** What dimensions lead to, by their key. */
  fields?: ReadonlyMap<string, Asked> | undefined;
  onChange: (key: string, value: unknown) => void;
}

/** A row per dimension and a column per value. Rows of one scale stand under one heading. */
export function LikertMatrix({ rows, config, values, errors, fields, onChange }: LikertMatrixProps) {
  const anchors = config.anchorLabels;
  return (
    <div className={classes.matrix}>
      {bandsOf(rows, config).map((band) => (
        <div key={band.map(({ key }) => key).join()} className={classes.band}>
          {anchors && (
            <div className={classes.head} aria-hidden>
              <div className={classes.anchors}>
                <span>{anchors.min}</span>
                <span>{anchors.mid}</span>
                <span>{anchors.max}</span>
              </div>
            </div>
          )}
          {band.map((dimension) => (
            <MatrixRow
              key={dimension.key}
              dimension={dimension}
              config={config}
              value={values[dimension.key]}
              error={errors[dimension.key]}
              field={fields?.get(dimension.key)}
              onChange={(value) => onChange(dimension.key, value)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface MatrixRowProps {
  dimension: Dimension;
  config: DisplayConfig;
  value: unknown;
  error: string | undefined;
  field: Asked | undefined;
  onChange: (value: unknown) => void;
}

function MatrixRow({ dimension, config, value, error, field, onChange }: MatrixRowProps) {
  const id = useId();
  const columns = columnsOf(dimension, config);
  const clearable = !dimension.required && !isEmpty(value);
  const note = [dimension.description, presentText(field)].filter(Boolean).join(" · ");
  const described = [note && `${id}-note`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={classes.row}>
      <div>
        <div className={classes.label} id={`${id}-label`}>
          {dimension.label}
          {dimension.required && (
            <span className={classes.required} aria-hidden>
              {" *"}
            </span>
          )}
        </div>
        {(note || clearable) && (
          <div className={classes.note}>
            {note && <span id={`${id}-note`}>{note}</span>}
            {clearable && <ClearButton label={dimension.label} onClick={() => onChange(null)} />}
          </div>
        )}
      </div>
      <DimensionInputScale
        className={classes.cells}
        columns={columns}
        value={value}
        onChange={onChange}
        labelledBy={`${id}-label`}
        describedBy={described || undefined}
        required={dimension.required}
        invalid={Boolean(error)}
        meaning={(column) => anchorOf(column, columns, config)}
      />
      {error && (
        <div className={classes.error} id={`${id}-error`} role="alert">
          {error}
        </div>
      )}
    </div>
  );
}
