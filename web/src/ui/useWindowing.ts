import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import { RowWindow } from "./RowWindow";

/**
 * Draws a list that the page scrolls, row by row as they come into sight. Rows may be of any height and may change it.
 * Whatever is loaded, opened or measured before what one reads, that stays where it is on the screen.
 *
 * Each row's element has its key as `data-row`, and no margins.
 */
export function useWindowing(frame: RefObject<HTMLElement | null>, keys: readonly string[], estimate: (row: number) => number) {
  const [, setDrawings] = useState(0);
  const [rows] = useState(() => new RowWindow(() => frame.current, () => setDrawings((count) => count + 1)));
  const drawn = rows.draw(keys, estimate);

  useLayoutEffect(() => rows.settle());

  useEffect(() => {
    const look = () => rows.look();
    const root = document.documentElement;
    const own = root.style.overflowAnchor;
    root.style.overflowAnchor = "none"; // the browser would keep the place as well: one of the two
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
  }, [rows]);

  return { ...drawn, rows };
}
