/** Which bubbles get their title written beside them, and where: none over another, nor over a bubble. Pure. */
export interface Circle {
  id: string;
  title: string;
  cx: number;
  cy: number;
  r: number;
}

export interface PlacedLabel {
  id: string;
  text: string;
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export const LABEL_SIZE = 11; // pixels
const PER_LETTER = 6.1; // pixels of an average letter at that size
const LONGEST = 24; // letters
const GAP = 4;

export function placeLabels(circles: readonly Circle[], area: { x: number; y: number; width: number; height: number }): PlacedLabel[] {
  const inside = { left: area.x, right: area.x + area.width, top: area.y, bottom: area.y + area.height };
  const taken: Box[] = circles.map(({ cx, cy, r }) => ({ left: cx - r, right: cx + r, top: cy - r, bottom: cy + r }));
  const placed: PlacedLabel[] = [];
  for (const circle of circles) {
    const text = shorten(circle.title);
    const fit = candidates(circle, text).find(({ box }) => isWithin(box, inside) && !taken.some((other) => overlap(box, other)));
    if (!fit) continue;
    taken.push(fit.box);
    placed.push(fit.label);
  }
  return placed;
}

export function shorten(title: string): string {
  const letters = [...title];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("").trimEnd()}…` : title;
}

/** Right, left, above, below: in the order in which they read best. */
function candidates({ id, cx, cy, r }: Circle, text: string): { label: PlacedLabel; box: Box }[] {
  const width = text.length * PER_LETTER;
  const half = LABEL_SIZE / 2 + 1;
  const at = (x: number, y: number, anchor: PlacedLabel["anchor"]) => {
    const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
    return { label: { id, text, x, y, anchor }, box: { left, right: left + width, top: y - half, bottom: y + half } };
  };
  return [
    at(cx + r + GAP, cy, "start"),
    at(cx - r - GAP, cy, "end"),
    at(cx, cy - r - GAP - half, "middle"),
    at(cx, cy + r + GAP + half, "middle"),
  ];
}

function isWithin(box: Box, outer: Box): boolean {
  return box.left >= outer.left && box.right <= outer.right && box.top >= outer.top && box.bottom <= outer.bottom;
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
