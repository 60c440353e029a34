/** A table as a file that spreadsheets open: RFC 4180, and no text in it is taken for a formula. Pure. */
export type CsvCell = string | number | null;

// Also behind spaces, quotes and signs that are not seen, and written wide: some programs read those too.
const FORMULA = /^[\s"'\u200b-\u200f\u2060\ufeff]*[=+\-@|%\uff1d\uff0b\uff0d\uff20\u2212]|^[\t\r\n]/;
const MARK = "\ufeff"; // tells spreadsheets that this is UTF-8

export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return MARK + rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}

function toCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
