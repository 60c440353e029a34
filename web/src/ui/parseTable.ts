/** Tables of Markdown: a line of names, a line of dashes, and rows. Pure. */
import type { Inline } from "./parseInline";

export type Align = "left" | "center" | "right" | null;

export interface Table {
  type: "table";
  align: Align[];
  head: Inline[][];
  rows: Inline[][][];
}

const MOST_COLUMNS = 40; // more is no table that anybody reads; it stays text
const DASHES = /^:?-+:?$/;

/** The table that begins at a line, and the line behind it; null where none begins. */
export function readTable(
  lines: readonly string[],
  at: number,
  inline: (cell: string) => Inline[],
): { block: Table; end: number } | null {
  const [first = "", second = ""] = [lines[at], lines[at + 1]];
  if (!first.includes("|") || !second.includes("-") || !/^[\s|:-]+$/.test(second)) return null;
  const names = cellsOf(first);
  const marks = cellsOf(second);
  if (names.length !== marks.length || names.length > MOST_COLUMNS || !marks.every((mark) => DASHES.test(mark))) return null;
  const rows: Inline[][][] = [];
  let end = at + 2;
  for (; lines[end]?.includes("|"); end += 1) {
    const cells = cellsOf(lines[end] ?? "");
    rows.push(names.map((_, column) => inline(cells[column] ?? "")));
  }
  return { block: { type: "table", align: marks.map(alignOf), head: names.map(inline), rows }, end };
}

/** What stands between the bars, without those at the ends; `\|` is a bar that is meant. */
function cellsOf(line: string): string[] {
  const trimmed = line.trim();
  const inner = trimmed.slice(trimmed.startsWith("|") ? 1 : 0);
  const cells = [""];
  for (let at = 0; at < inner.length; at += 1) {
    const sign = inner[at] ?? "";
    if (sign === "\\" && inner[at + 1] === "|") {
      cells[cells.length - 1] += "|";
      at += 1;
    } else if (sign === "|") cells.push("");
    else cells[cells.length - 1] += sign;
  }
  if (cells.length > 1 && cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((cell) => cell.trim());
}

function alignOf(mark: string): Align {
  if (mark.endsWith(":")) return mark.startsWith(":") ? "center" : "right";
  return mark.startsWith(":") ? "left" : null;
}
