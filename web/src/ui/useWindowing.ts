import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { drawnRows, offsetOf } from "./windowing";

const AROUND = 900; // pixels drawn before and after what is in sight: about a screen
const STEP = 200; // pixels that one scrolls before other rows are drawn
const HEADER = 60; // pixels of the page that its header covers
const TRIES = 8; // until a row that is far away is in sight: each comes nearer, as heights become known

interface Anchor {
  key: string;
  /** Where it is in the document. */
  top: number;
}

/**
 * Draws a list that the page scrolls, row by row as they come into sight. Rows may be of any height and may change it.
 * Whatever is loaded, opened or measured before what one reads, that stays where it is on the screen.
 *
 * Each row's element has its key as `data-row`, and no margins.
 */
export function useWindowing(frame: RefObject<HTMLElement | null>, keys: readonly string[], estimate: (row: number) => number) {
  const measured = useRef(new Map<string, number>());
  const view = useRef({ top: -AROUND, bottom: AROUND });
  const anchor = useRef<Anchor | null>(null);
  const laid = useRef<{ keys: readonly string[]; heights: readonly number[] }>({ keys, heights: [] });
  const wanted = useRef<{ key: string; tries: number; onShown: (element: HTMLElement) => void } | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  const heights = keys.map((key, row) => measured.current.get(key) ?? estimate(row));
  // Rows came in before what is read: the same rows are drawn, further down.
  if (laid.current.keys !== keys && anchor.current) {
    const [now, then] = [keys.indexOf(anchor.current.key), laid.current.keys.indexOf(anchor.current.key)];
    const moved = now === -1 || then === -1 ? 0 : offsetOf(heights, now) - offsetOf(laid.current.heights, then);
    view.current = { top: view.current.top + moved, bottom: view.current.bottom + moved };
  }
  laid.current = { keys, heights };
  const drawn = drawnRows(heights, view.current.top, view.current.bottom);

  const rowsOf = useCallback(() => [...(frame.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])], [frame]);

  /** Learns the heights of what is drawn, and what one is reading. */
  const measure = useCallback(() => {
    anchor.current = null;
    for (const element of rowsOf()) {
      const { top, bottom, height } = element.getBoundingClientRect();
      const key = element.dataset.row ?? "";
      if (height > 0) measured.current.set(key, height); // nothing has a height where nothing is laid out
      if (anchor.current === null && bottom > HEADER && height > 0) anchor.current = { key, top: top + window.scrollY };
    }
  }, [rowsOf]);

  const look = useCallback(() => {
    const list = frame.current;
    if (!list) return;
    measure();
    const { top } = list.getBoundingClientRect();
    const [from, to] = [round(-top - AROUND), round(window.innerHeight - top + AROUND)];
    if (from === view.current.top && to === view.current.bottom) return;
    view.current = { top: from, bottom: to };
    redraw();
  }, [frame, measure]);

  // After each drawing: what one reads stays where it was, unless the list's beginning is in sight.
  useLayoutEffect(() => {
    const before = anchor.current;
    const element = before && rowsOf().find(({ dataset }) => dataset.row === before.key);
    if (before && element && (frame.current?.getBoundingClientRect().top ?? 0) < HEADER) {
      const moved = element.getBoundingClientRect().top + window.scrollY - before.top;
      if (Math.abs(moved) >= 1) window.scrollBy(0, moved);
    }
    measure();
    laid.current = { keys, heights: keys.map((key, row) => measured.current.get(key) ?? estimate(row)) };
    const seek = wanted.current;
    if (!seek) return;
    const found = rowsOf().find(({ dataset }) => dataset.row === seek.key);
    if (found) {
      wanted.current = null;
      seek.onShown(found);
      return;
    }
    const row = keys.indexOf(seek.key);
    seek.tries += 1;
    if (row === -1 || seek.tries > TRIES || !frame.current) {
      wanted.current = null;
      return;
    }
    anchor.current = null;
    const offset = offsetOf(heights, row);
    window.scrollTo(0, frame.current.getBoundingClientRect().top + window.scrollY + offset - HEADER);
    view.current = { top: offset - AROUND, bottom: offset + window.innerHeight + AROUND };
    redraw();
  });

  useEffect(() => {
    const root = document.documentElement;
    const own = root.style.overflowAnchor;
    root.style.overflowAnchor = "none"; // one of the two keeps the place, not both
    const sizes = new ResizeObserver(look);
    sizes.observe(document.body);
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    look();
    return () => {
      root.style.overflowAnchor = own;
      sizes.disconnect();
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [look]);

  /** Brings a row into the page, wherever it is in the list. */
  const reveal = useCallback((key: string, onShown: (element: HTMLElement) => void) => {
    wanted.current = { key, tries: 0, onShown };
    redraw();
  }, []);

  return { ...drawn, reveal };
}

function round(pixels: number): number {
  return Math.floor(pixels / STEP) * STEP;
}
