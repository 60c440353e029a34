/** Arrow keys go from link to link of a table: along a row, and to the same column of another row. */
import type { KeyboardEvent } from "react";

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** For the element around the table. Without the focus on a link, arrows scroll as ever. */
export function moveInTable(event: KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key];
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const row = link?.closest("tr");
  if (!step || !link || !row || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = step[0] === 0 ? besideOf(row, link, step[1]) : inRow(row, link, step[0]);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function besideOf(row: HTMLTableRowElement, link: HTMLAnchorElement, step: number): HTMLAnchorElement | undefined {
  const links = [...row.querySelectorAll("a")];
  return links[links.indexOf(link) + step];
}

/** The link in the same place of the same column, or the last one there; rows without one are passed over. */
function inRow(row: HTMLTableRowElement, link: HTMLAnchorElement, step: number): HTMLAnchorElement | undefined {
  const cell = link.closest("td, th") as HTMLTableCellElement;
  const place = [...cell.querySelectorAll("a")].indexOf(link);
  const rows = [...(row.closest("table")?.rows ?? [])];
  for (let at = rows.indexOf(row) + step; at >= 0 && at < rows.length; at += step) {
    const links = [...(rows[at]?.cells[cell.cellIndex]?.querySelectorAll("a") ?? [])];
    if (links.length > 0) return links[Math.min(place, links.length - 1)];
  }
  return undefined;
}
