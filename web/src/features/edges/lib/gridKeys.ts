/** Moving through the cells of a matrix by keyboard, as in a spreadsheet. Pure. */
export interface Place {
  row: number;
  column: number;
}

export type GridMove = "up" | "down" | "left" | "right" | "first" | "last";

export interface Press {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Where the cursor stands in the text of a cell; a cell without text is at both ends at once. */
export interface Caret {
  atStart: boolean;
  atEnd: boolean;
  multiline: boolean;
}

export const NO_TEXT: Caret = { atStart: true, atEnd: true, multiline: false };

/** Null for keys that belong to the text in the cell, or to the browser: Tab goes from cell to cell by itself. */
export function moveFor({ key, shiftKey, ctrlKey, metaKey, altKey }: Press, caret: Caret): GridMove | null {
  if (altKey) return null;
  if (ctrlKey || metaKey) return key === "Home" ? "first" : key === "End" ? "last" : null;
  if (key === "Enter") return caret.multiline ? null : shiftKey ? "up" : "down";
  if (shiftKey) return null;
  switch (key) {
    case "ArrowUp":
      return caret.multiline && !caret.atStart ? null : "up";
    case "ArrowDown":
      return caret.multiline && !caret.atEnd ? null : "down";
    case "ArrowLeft":
      return caret.atStart ? "left" : null;
    case "ArrowRight":
      return caret.atEnd ? "right" : null;
    default:
      return null;
  }
}

/** The ends hold: nothing wraps round. */
export function moveTo({ row, column }: Place, move: GridMove, rows: number, columns: number): Place {
  const clamp = (place: number, length: number) => Math.min(Math.max(place, 0), length - 1);
  switch (move) {
    case "up":
      return { row: clamp(row - 1, rows), column };
    case "down":
      return { row: clamp(row + 1, rows), column };
    case "left":
      return { row, column: clamp(column - 1, columns) };
    case "right":
      return { row, column: clamp(column + 1, columns) };
    case "first":
      return { row: 0, column: 0 };
    case "last":
      return { row: rows - 1, column: columns - 1 };
  }
}

const NUMBERS = new Set(["decimal", "numeric"]);

/**
 * Where the cursor stands in a field. A field that is selected whole is left in either direction, and so is a
 * number: it is typed anew rather than mended.
 */
export function caretOf(element: Element): Caret {
  if (NUMBERS.has(element.getAttribute("inputmode") ?? "")) return NO_TEXT;
  const isArea = element instanceof HTMLTextAreaElement;
  if (!isArea && !(element instanceof HTMLInputElement)) return NO_TEXT;
  const { selectionStart: from, selectionEnd: to, value } = element;
  if (from === null || to === null || (from === 0 && to === value.length)) return { ...NO_TEXT, multiline: isArea };
  return { atStart: to === 0, atEnd: from === value.length, multiline: isArea };
}
