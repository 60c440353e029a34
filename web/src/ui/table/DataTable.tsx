import { NativeSelect, Table, UnstyledButton } from "@mantine/core";
import { CaretDownIcon, CaretSortIcon, CaretUpIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import classes from "./DataTable.module.css";
import { type Direction, type Sort, type SortValue, nextSort, sortRows } from "./sort";

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Present on columns that can be sorted by. */
  sortValue?: (row: Row) => SortValue;
  /** Whoever brings the rows sorts them by it. */
  sortable?: boolean;
  /** In a dense table: where the cell stands in the two lines that a row has on a phone; nowhere when absent. */
  phone?: "tick" | "title" | "aside" | "under";
  /** Which way it is sorted at first, where not ascending: the best on top. */
  firstDir?: Direction;
  /** Stands in the head instead of the words, which are still its name. */
  head?: ReactNode;
  /** The header is read out but not drawn, as for a column of buttons. */
  hideHeader?: boolean;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  isMuted?: (row: Row) => boolean;
  /** Low rows, for lists that are worked through. */
  dense?: boolean;
}

/**
 * A table that can be sorted by keyboard. Below the `sm` width each row becomes a card;
 * the explicit roles keep it a table for assistive technology there.
 */
export function DataTable<Row>({ label, columns, rows, rowKey, sort, onSort, isMuted, dense }: DataTableProps<Row>) {
  const sortColumn = columns.find((column) => column.key === sort?.key);
  const ordered = sort && sortColumn?.sortValue ? sortRows(rows, sortColumn.sortValue, sort.dir) : rows;
  return (
    <div className={dense ? `${classes.frame} ${classes.dense}` : classes.frame}>
      {sort && onSort && !dense && <PhoneSort columns={columns} sort={sort} onSort={onSort} label={label} />}
      <Table role="table" aria-label={label} className={classes.table} data-dense={dense || undefined} verticalSpacing={dense ? 3 : "sm"} horizontalSpacing={dense ? "sm" : "md"}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {ordered.map((row) => (
            <Table.Tr key={rowKey(row)} role="row" data-muted={isMuted?.(row) || undefined}>
              {columns.map((column) => (
                <Table.Td
                  key={column.key}
                  role="cell"
                  data-label={column.hideHeader ? undefined : column.header}
                  data-actions={(column.hideHeader && !column.phone) || undefined}
                  data-phone={column.phone}
                >
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  if (column.hideHeader) {
    return (
      <Table.Th role="columnheader" scope="col">
        {column.head ?? <span className={classes.hidden}>{column.header}</span>}
      </Table.Th>
    );
  }
  if ((!column.sortValue && !column.sortable) || !sort || !onSort) {
    return (
      <Table.Th role="columnheader" scope="col">
        {column.header}
      </Table.Th>
    );
  }
  const active = sort.key === column.key;
  const Icon = !active ? CaretSortIcon : sort.dir === "asc" ? CaretUpIcon : CaretDownIcon;
  return (
    <Table.Th
      role="columnheader"
      scope="col"
      aria-sort={active ? (sort.dir === "asc" ? "ascending" : "descending") : "none"}
    >
      <UnstyledButton
        className={classes.sortButton}
        data-active={active || undefined}
        onClick={() => onSort(nextSort(sort, column.key, column.firstDir))}
      >
        {column.header}
        <Icon aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}

interface PhoneSortProps<Row> {
  columns: readonly Column<Row>[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  label: string;
}

function PhoneSort<Row>({ columns, sort, onSort, label }: PhoneSortProps<Row>) {
  const options = columns
    .filter((column) => column.sortValue)
    .flatMap((column) => [
      { value: `${column.key}:asc`, label: `Sort by ${column.header.toLowerCase()}, ascending` },
      { value: `${column.key}:desc`, label: `Sort by ${column.header.toLowerCase()}, descending` },
    ]);
  return (
    <NativeSelect
      hiddenFrom="sm"
      mb="sm"
      aria-label={`Sort ${label.toLowerCase()}`}
      value={`${sort.key}:${sort.dir}`}
      data={options}
      onChange={(event) => {
        const [key = sort.key, dir] = event.currentTarget.value.split(":");
        onSort({ key, dir: dir === "desc" ? "desc" : "asc" });
      }}
    />
  );
}
