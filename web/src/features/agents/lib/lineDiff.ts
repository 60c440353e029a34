/** Which lines of a text went and which came, and what of the rest is worth showing. Pure. */

export type LineKind = "same" | "removed" | "added";

export interface Line {
  kind: LineKind;
  text: string;
  /** Where it stands in the text before and after, from 1; null in the one that has it not. */
  before: number | null;
  after: number | null;
}

/** Lines to show, or unchanged ones that are folded away. */
export type Piece = { folded: false; lines: readonly Line[] } | { folded: true; lines: readonly Line[] };

const MOST_STEPS = 1_000; // lines that went or came: beyond that two texts have little in common, and finding it costs its square
const CONTEXT = 3; // unchanged lines around a change, as elsewhere

/** An empty text has no line; a line break at the end ends the last one. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}

/** The fewest lines that lead from one text to the other; of texts that have little in common, all of both. */
export function diffLines(before: string, after: string): Line[] {
  const [left, right] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  const kinds: LineKind[] = [
    ...repeated("same", head),
    ...shortestEdit(left.slice(head, left.length - tail), right.slice(head, right.length - tail)),
    ...repeated("same", tail),
  ];
  return placed(kinds, left, right);
}

function repeated(kind: LineKind, count: number): LineKind[] {
  return Array.from({ length: count }, () => kind);
}

/** Myers' algorithm (An O(ND) Difference Algorithm, 1986): the furthest that can be come with each number of edits. */
function shortestEdit(left: readonly string[], right: readonly string[]): LineKind[] {
  const most = Math.min(left.length + right.length, MOST_STEPS);
  const middle = most + 1;
  const furthest = new Int32Array(2 * middle + 1);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(furthest.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const below = furthest[middle + diagonal + 1] ?? 0;
      const beside = furthest[middle + diagonal - 1] ?? 0;
      const comesDown = diagonal === -edits || (diagonal !== edits && beside < below);
      let x = comesDown ? below : beside + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x += 1;
      furthest[middle + diagonal] = x;
      if (x >= left.length && x - diagonal >= right.length) return walkBack(trace, left.length, right.length);
    }
  }
  return [...repeated("removed", left.length), ...repeated("added", right.length)];
}

function walkBack(trace: readonly Int32Array[], width: number, height: number): LineKind[] {
  const kinds: LineKind[] = [];
  let [x, y] = [width, height];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const at = (diagonal: number) => trace[edits]?.[diagonal + edits + 1] ?? 0;
    const diagonal = x - y;
    const comesDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const from = comesDown ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = edits === 0 ? [0, 0] : [at(from), at(from) - from];
    while (x > fromX && y > fromY) {
      kinds.push("same");
      x -= 1;
      y -= 1;
    }
    if (edits > 0) kinds.push(comesDown ? "added" : "removed");
    [x, y] = [fromX, fromY];
  }
  return kinds.reverse();
}

function placed(kinds: readonly LineKind[], left: readonly string[], right: readonly string[]): Line[] {
  let [before, after] = [0, 0];
  return kinds.map((kind) => {
    if (kind !== "added") before += 1;
    if (kind !== "removed") after += 1;
    const text = (kind === "added" ? right[after - 1] : left[before - 1]) ?? "";
    return { kind, text, before: kind === "added" ? null : before, after: kind === "removed" ? null : after };
  });
}

/** Long stretches without a change are folded, but for a few lines around each change. */
export function foldUnchanged(lines: readonly Line[], context = CONTEXT): Piece[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, place) => {
    if (kind === "same") return;
    for (let beside = place - context; beside <= place + context; beside += 1) near.add(beside);
  });
  const pieces: { folded: boolean; lines: Line[] }[] = [];
  lines.forEach((line, place) => {
    const folded = !near.has(place);
    const last = pieces[pieces.length - 1];
    if (last?.folded === folded) last.lines.push(line);
    else pieces.push({ folded, lines: [line] });
  });
  // A fold takes a line itself: what is no longer than that is shown.
  const shown = pieces.map((piece) => (piece.folded && piece.lines.length === 1 && pieces.length > 1 ? { ...piece, folded: false } : piece));
  return joined(shown);
}

function joined(pieces: readonly { folded: boolean; lines: Line[] }[]): Piece[] {
  const found: { folded: boolean; lines: Line[] }[] = [];
  for (const piece of pieces) {
    const last = found[found.length - 1];
    if (last?.folded === piece.folded) last.lines.push(...piece.lines);
    else found.push({ folded: piece.folded, lines: [...piece.lines] });
  }
  return found as Piece[];
}

export function countChanges(lines: readonly Line[]): { removed: number; added: number } {
  const count = (wanted: LineKind) => lines.filter(({ kind }) => kind === wanted).length;
  return { removed: count("removed"), added: count("added") };
}
