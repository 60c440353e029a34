import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { Dimension } from "@/api/types";
import { typeRow } from "@/features/criteria/lib/dimensionTypes";
import { stripsFit } from "@/features/criteria/lib/ratingText";
import type { Values } from "@/features/criteria/lib/values";
import { useGridKeys } from "../hooks/useGridKeys";
import type { Connection, MatrixValues, RowFaults } from "../lib/edgeMatrix";
import classes from "./EdgeMatrix.module.css";
import { EdgeMatrixCell } from "./EdgeMatrixCell";

export interface MatrixRowsProps {
  label: string;
  connections: readonly Connection[];
  dimensions: readonly Dimension[];
  values: MatrixValues;
  faults: ReadonlyMap<string, RowFaults>;
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
  onChange: (connection: string, key: string, value: unknown) => void;
}

/** A row per connected record and a column per dimension; keys move through the cells as in a spreadsheet. */
export function EdgeMatrixGrid(props: MatrixRowsProps) {
  const { label, connections, dimensions, values, faults, page, pageSize, onPage, onChange } = props;
  const { grid, handlers } = useGridKeys({
    rows: connections.length,
    columns: dimensions.length + 1,
    pageSize,
    page,
    onPage,
  });
  const first = page * pageSize;
  const asStrip = stripsFit(dimensions);
  return (
    <div className={classes.frame} {...handlers}>
      <table
        ref={grid}
        role="grid"
        aria-label={label}
        aria-rowcount={connections.length + 1}
        className={classes.grid}
      >
        <thead>
          <tr role="row" aria-rowindex={1}>
            <th role="columnheader" scope="col">
              Connected record
            </th>
            {dimensions.map((dimension) => (
              <th
                key={dimension.key}
                role="columnheader"
                scope="col"
                title={dimension.description ?? undefined}
                aria-required={dimension.required || undefined}
              >
                {dimension.label}
                {dimension.required && (
                  <span className={classes.required} aria-hidden>
                    {" *"}
                  </span>
                )}
                {dimension.scale && <span className={classes.scale}>{` ${dimension.scale[0]}–${dimension.scale[1]}`}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {connections.slice(first, first + pageSize).map((connection, place) => (
            <GridRow
              key={connection.id}
              row={first + place}
              connection={connection}
              dimensions={dimensions}
              values={values[connection.id]}
              faults={faults.get(connection.id)}
              asStrip={asStrip}
              onChange={onChange}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface GridRowProps {
  row: number;
  connection: Connection;
  dimensions: readonly Dimension[];
  values: Values | undefined;
  faults: RowFaults | undefined;
  asStrip: boolean;
  onChange: MatrixRowsProps["onChange"];
}

const GridRow = memo(function GridRow({ row, connection, dimensions, values, faults, asStrip, onChange }: GridRowProps) {
  const { id, title } = connection;
  return (
    <tr role="row" aria-rowindex={row + 2}>
      <th role="rowheader" scope="row">
        <Anchor
          size="sm"
          fw={550}
          // Reached by arrow from its row: Tab goes from answer to answer.
          tabIndex={-1}
          data-cell={`${row}:0`}
          aria-invalid={faults?.row ? true : undefined}
          renderRoot={(props) => <Link to="/records/$id" params={{ id }} {...props} />}
        >
          {title}
        </Anchor>
        {faults?.row && <div className={classes.error}>{faults.row}</div>}
      </th>
      {dimensions.map((dimension, column) => (
        <td key={dimension.key} role="gridcell" data-wide={typeRow(dimension.type).isWide || undefined}>
          <EdgeMatrixCell
            place={`${row}:${column + 1}`}
            dimension={dimension}
            title={title}
            value={values?.[dimension.key]}
            error={faults?.cells[dimension.key]}
            asStrip={asStrip}
            onChange={(value) => onChange(id, dimension.key, value)}
          />
        </td>
      ))}
    </tr>
  );
});
