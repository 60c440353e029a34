import { type KeyboardEvent, useEffect, useRef } from "react";
import { type Place, caretOf, moveFor, moveTo } from "../lib/gridKeys";

interface GridKeys {
  rows: number;
  columns: number;
  pageSize: number;
  page: number;
  onPage: (page: number) => void;
}

/** The keys of a spreadsheet, over rows that may be on other pages than the one that is drawn. */
export function useGridKeys({ rows, columns, pageSize, page, onPage }: GridKeys) {
  const grid = useRef<HTMLTableElement>(null);
  const wanted = useRef<Place | null>(null);
  const opened = useRef<EventTarget | null>(null); // the list of choices that is open: it has its own use for arrows

  const focus = ({ row, column }: Place) => {
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
    cell?.focus();
    if (cell instanceof HTMLInputElement || cell instanceof HTMLTextAreaElement) cell.select();
  };

  useEffect(() => {
    if (wanted.current) focus(wanted.current);
    wanted.current = null;
  }, [page]);

  const go = (place: Place) => {
    const there = Math.floor(place.row / pageSize);
    if (there === page) return focus(place);
    wanted.current = place;
    onPage(there);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    const [row, column] = (target.dataset.cell ?? "").split(":").map(Number);
    if (row === undefined || column === undefined || event.nativeEvent.isComposing) return;
    if (target instanceof HTMLSelectElement && isForChoices(event, target)) return;
    // Enter on a title opens the record, as on any link.
    if (target instanceof HTMLAnchorElement && event.key === "Enter") return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return target.closest("form")?.requestSubmit();
    }
    const move = moveFor(event, caretOf(target));
    if (!move) return;
    event.preventDefault();
    go(moveTo({ row, column }, move, rows, columns));
  };

  const isForChoices = (event: KeyboardEvent, target: HTMLElement): boolean => {
    const opens = event.key === " " || event.key === "F4" || (event.altKey && event.key.startsWith("Arrow"));
    const wasOpen = opened.current === target;
    if (opens) opened.current = target;
    else if (event.key === "Enter" || event.key === "Escape" || event.key === "Tab") opened.current = null;
    return opens || wasOpen;
  };

  const close = () => {
    opened.current = null;
  };

  return {
    grid,
    go,
    handlers: {
      onKeyDown,
      onBlur: close,
      onChange: close,
      onMouseDown: (event: { target: EventTarget }) => {
        opened.current = event.target instanceof HTMLSelectElement ? event.target : null;
      },
    },
  };
}
