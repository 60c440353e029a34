/** Which rows of a long list are drawn: those in sight and a little around them. Pure. */
export interface Drawn {
  start: number;
  /** The first that is not drawn any more. */
  end: number;
  /** Height of what is left out before and after, so that the page is as long as with all of it. */
  before: number;
  after: number;
}

/** `top` and `bottom` are what is to be drawn, measured from where the list begins. */
export function drawnRows(heights: readonly number[], top: number, bottom: number): Drawn {
  let [start, before, place] = [0, 0, 0];
  while (start < heights.length && place + (heights[start] ?? 0) <= top) {
    place += heights[start] ?? 0;
    start += 1;
  }
  before = place;
  let end = start;
  while (end < heights.length && place < bottom) {
    place += heights[end] ?? 0;
    end += 1;
  }
  let after = 0;
  for (let row = end; row < heights.length; row += 1) after += heights[row] ?? 0;
  return { start, end, before, after };
}

/** Where a row begins. */
export function offsetOf(heights: readonly number[], row: number): number {
  let offset = 0;
  for (let each = 0; each < Math.min(row, heights.length); each += 1) offset += heights[each] ?? 0;
  return offset;
}
