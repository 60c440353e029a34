/** A table as a file that spreadsheets open: RFC 4180, and no text in it is taken for a formula. Pure. */
export type CsvCell = string | number | null;

const FORMULA = /^[=+\-@\t\r\n|%]/;
const MARK = "\ufeff"; // tells spreadsheets that this is UTF-8

export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return MARK + rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}

function toCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  const text = FORMULA.test(cell.trimStart()) || FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
