/** A chain as layers, and where each node of the picture stands. Pure. */
import type { Chain, ChainNode } from "@/api/types";

export const SHOWN = 8; // of a layer, before the rest is folded: about what fits on a screen
export const NODE = { width: 208, height: 64 };
const GAP = { x: 56, y: 12 };
const MARGIN = 12;
const HEAD = 30; // above each layer

/** Nodes as far away as each other. `folded` are those that are not drawn. */
export interface Layer {
  depth: number;
  nodes: ChainNode[];
  folded: number;
}

export interface Placed {
  node: ChainNode;
  layer: number;
  row: number;
  x: number;
  y: number;
}

export interface Line {
  key: string;
  path: string;
  ends: readonly [string, string];
}

export interface Picture {
  width: number;
  height: number;
  placed: Placed[];
  lines: Line[];
  /** Where what is folded of a layer is said. */
  folds: { depth: number; count: number; x: number; y: number }[];
  heads: { depth: number; x: number }[];
}

/** The refs that each node is joined with, either way. */
export function neighboursOf({ edges }: Pick<Chain, "edges">): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (one: string, other: string) => found.set(one, [...(found.get(one) ?? []), other]);
  for (const { source, target } of edges) {
    add(source, target);
    add(target, source);
  }
  return found;
}

/** Each layer in the order of what it is joined with in the one before, so that few lines cross; of one that is too long, what leads
 * on comes before what ends there. `open` are unfolded. */
export function layersOf(chain: Pick<Chain, "nodes" | "edges">, open: ReadonlySet<number>): Layer[] {
  const joined = neighboursOf(chain);
  const depths = [...new Set(chain.nodes.map(({ depth }) => depth))].sort((a, b) => a - b);
  const place = new Map<string, number>();
  const depthOf = new Map(chain.nodes.map(({ ref, depth }) => [ref, depth]));
  const ends = ({ ref, depth }: ChainNode) => Number(!(joined.get(ref) ?? []).some((other) => (depthOf.get(other) ?? 0) > depth));
  return depths.map((depth) => {
    const nodes = chain.nodes.filter((node) => node.depth === depth);
    const weigh = ({ ref }: ChainNode) => {
      const places = (joined.get(ref) ?? []).flatMap((other) => place.get(other) ?? []);
      return places.length === 0 ? Number.MAX_SAFE_INTEGER : places.reduce((sum, each) => sum + each, 0) / places.length;
    };
    const weights = new Map(nodes.map((node) => [node.ref, weigh(node)]));
    const isLong = nodes.length > SHOWN + 1; // one more takes no more room than saying so
    const end = new Map(nodes.map((node) => [node.ref, isLong ? ends(node) : 0]));
    const ordered = nodes.toSorted(
      (a, b) =>
        (weights.get(a.ref) ?? 0) - (weights.get(b.ref) ?? 0) || (end.get(a.ref) ?? 0) - (end.get(b.ref) ?? 0) || a.kind.localeCompare(b.kind) || a.ref.localeCompare(b.ref),
    );
    const isFolded = isLong && !open.has(depth);
    const shown = isFolded ? ordered.slice(0, SHOWN) : ordered;
    for (const [row, { ref }] of shown.entries()) place.set(ref, row);
    return { depth, nodes: shown, folded: ordered.length - shown.length };
  });
}

export function draw(chain: Pick<Chain, "nodes" | "edges">, open: ReadonlySet<number>): Picture {
  const layers = layersOf(chain, open);
  const rows = ({ nodes, folded }: Layer) => nodes.length + (folded > 0 ? 1 : 0);
  const tallest = Math.max(1, ...layers.map(rows));
  const height = tallest * (NODE.height + GAP.y) - GAP.y;
  const x = (layer: number) => MARGIN + layer * (NODE.width + GAP.x);
  const placed: Placed[] = [];
  const folds: Picture["folds"] = [];
  const centred = Math.min(tallest, SHOWN + 1); // where one is unfolded, the others stay in sight
  for (const [layer, each] of layers.entries()) {
    const top = MARGIN + HEAD + (Math.max(0, centred - rows(each)) / 2) * (NODE.height + GAP.y);
    for (const [row, node] of each.nodes.entries()) {
      placed.push({ node, layer, row, x: x(layer), y: top + row * (NODE.height + GAP.y) });
    }
    if (each.folded > 0) {
      folds.push({ depth: each.depth, count: each.folded, x: x(layer), y: top + each.nodes.length * (NODE.height + GAP.y) });
    }
  }
  return {
    width: x(layers.length) - GAP.x + MARGIN,
    height: MARGIN + HEAD + height + MARGIN,
    placed,
    lines: linesOf(chain, placed),
    folds,
    heads: layers.map(({ depth }, layer) => ({ depth, x: x(layer) })),
  };
}

/** How many layers are not, or not wholly, in a window that shows so much of the picture from `left` on. */
export function outOfSight({ heads }: Pick<Picture, "heads">, left: number, width: number): { before: number; after: number } {
  return {
    before: heads.filter(({ x }) => x < left).length,
    after: heads.filter(({ x }) => x + NODE.width > left + width).length,
  };
}

function linesOf({ edges }: Pick<Chain, "edges">, placed: readonly Placed[]): Line[] {
  const at = new Map(placed.map((each) => [each.node.ref, each]));
  const lines = new Map<string, Line>();
  for (const { source, target } of edges) {
    const [one, other] = [at.get(source), at.get(target)];
    if (!one || !other) continue;
    const [left, right] = one.x <= other.x ? [one, other] : [other, one];
    const key = `${left.node.ref} ${right.node.ref}`;
    lines.set(key, { key, path: curve(left, right), ends: [source, target] });
  }
  return [...lines.values()];
}

function curve(left: Placed, right: Placed): string {
  const [y1, y2] = [left.y + NODE.height / 2, right.y + NODE.height / 2];
  if (left.layer === right.layer) {
    const edge = left.x + NODE.width;
    return `M${edge},${y1} C${edge + GAP.x / 2},${y1} ${edge + GAP.x / 2},${y2} ${edge},${y2}`;
  }
  const [x1, x2] = [left.x + NODE.width, right.x];
  const middle = (x1 + x2) / 2;
  return `M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`;
}

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End";

/** Where an arrow leads: up and down within a layer, left and right to what it is joined with, else to the nearest. */
export function step(placed: readonly Placed[], joined: ReadonlyMap<string, readonly string[]>, from: string, arrow: Arrow): string {
  const here = placed.find(({ node }) => node.ref === from) ?? placed[0];
  if (!here) return from;
  if (arrow === "Home") return placed[0]?.node.ref ?? from;
  if (arrow === "End") return placed.at(-1)?.node.ref ?? from;
  if (arrow === "ArrowUp" || arrow === "ArrowDown") {
    const row = here.row + (arrow === "ArrowDown" ? 1 : -1);
    return placed.find((each) => each.layer === here.layer && each.row === row)?.node.ref ?? from;
  }
  const layer = here.layer + (arrow === "ArrowRight" ? 1 : -1);
  const there = placed.filter((each) => each.layer === layer);
  const known = new Set(joined.get(from));
  const near = (each: Placed) => Math.abs(each.y - here.y);
  const [best] = there.toSorted((a, b) => Number(known.has(b.node.ref)) - Number(known.has(a.node.ref)) || near(a) - near(b));
  return best?.node.ref ?? from;
}
