/** What the address says about the picture of a matrix, and what that picture shows. Pure. */
import type { Dimension, Party } from "@/api/types";
import { columnsOf } from "@/features/criteria/lib/columns";
import { computeResponseScore } from "@/features/criteria/lib/scoring";
import { responseScore } from "@/features/entities/lib/score";
import { STRATEGIES, type Strategy } from "@/features/entities/lib/search";
import type { Direction, Sort } from "@/ui/table/sort";
import type { Cells, ConnectionAggregate } from "./aggregateMatrix";

/** As the server sends it: columns instead of objects, so that all of it fits. */
export interface Matrix {
  /** The numeric ones only. */
  dimensions: readonly Dimension[];
  connections: readonly { id: string; title: string | null }[];
  respondents: readonly Party[];
  cells: Cells;
}

export const SCORE = "score";
export const TITLE = "title";

export interface MatrixSearch {
  x?: string | undefined;
  y?: string | undefined;
  z?: string | undefined;
  agg?: Strategy | undefined;
  overlay?: 1 | undefined;
  sort?: string | undefined;
  dir?: Direction | undefined;
}

export interface MatrixChoice {
  /** Keys of dimensions; `y` is the score where there is only one. Null where there is none at all. */
  x: string | null;
  y: string;
  z: string | null;
  agg: Strategy;
  overlay: boolean;
  sort: Sort;
}

/** What cannot be used counts as not given. */
export function readChoice(search: MatrixSearch, dimensions: readonly Dimension[]): MatrixChoice {
  const keys = dimensions.map(({ key }) => key);
  const known = (key: string | undefined) => (key !== undefined && keys.includes(key) ? key : undefined);
  const sort = search.sort === SCORE || search.sort === TITLE ? search.sort : (known(search.sort) ?? SCORE);
  return {
    x: known(search.x) ?? keys[0] ?? null,
    y: known(search.y) ?? keys[1] ?? SCORE,
    z: known(search.z) ?? null,
    agg: STRATEGIES.find((strategy) => strategy === search.agg) ?? "mean",
    overlay: search.overlay === 1,
    sort: { key: sort, dir: search.dir ?? "desc" },
  };
}

/** The shortest address that shows the same: what is so anyway is not said. */
export function toSearch(choice: MatrixChoice, dimensions: readonly Dimension[]): MatrixSearch {
  const usual = readChoice({}, dimensions);
  return {
    x: choice.x === usual.x ? undefined : (choice.x ?? undefined),
    y: choice.y === usual.y ? undefined : choice.y,
    z: choice.z ?? undefined,
    agg: choice.agg === usual.agg ? undefined : choice.agg,
    overlay: choice.overlay ? 1 : undefined,
    sort: choice.sort.key === usual.sort.key ? undefined : choice.sort.key,
    dir: choice.sort.dir === usual.sort.dir ? undefined : choice.sort.dir,
  };
}

/** What an address says about a part of a choice, and nothing about the rest. */
export function toSearchOf(part: Partial<MatrixChoice>, choice: MatrixChoice, dimensions: readonly Dimension[]): MatrixSearch {
  const whole = toSearch({ ...choice, ...part }, dimensions);
  const keys = Object.keys(part).flatMap((key) => (key === "sort" ? ["sort", "dir"] : [key])) as (keyof MatrixSearch)[];
  return Object.fromEntries(keys.map((key) => [key, whole[key]]));
}

/** An address that says nothing about a picture. */
export const NO_PICTURE: MatrixSearch = {
  x: undefined,
  y: undefined,
  z: undefined,
  agg: undefined,
  overlay: undefined,
  sort: undefined,
  dir: undefined,
};

export interface Standing {
  id: string;
  /** Null when the record is gone. */
  title: string | null;
  /** Responses that say anything about it. */
  count: number;
  values: Readonly<Record<string, number | null>>;
  /** 0 to 100; null where there is none. */
  score: number | null;
  weighted: number | null;
}

export function toStandings(matrix: Matrix, found: Readonly<Record<string, ConnectionAggregate>>): Standing[] {
  return matrix.connections.flatMap(({ id, title }) => {
    const own = Object.hasOwn(found, id) ? found[id] : undefined;
    if (!own) return [];
    const values = Object.entries(own.dimensions).map(([key, { value }]) => [key, value] as const);
    return {
      id,
      title,
      count: own.count,
      values: Object.fromEntries(values),
      score: responseScore(own.normalized_score),
      weighted: own.weighted_score,
    };
  });
}

export interface Bubble {
  id: string;
  title: string;
  x: number;
  y: number;
  z: number | null;
  /** In pixels. */
  r: number;
  score: number | null;
  count: number;
  /** How many others stand in the same place. */
  hidden: number;
}

const PLAIN_RADIUS = 9;
const SMALLEST = 6;
const LARGEST = 26;

function valueOn(standing: Standing, key: string): number | null {
  return (Object.hasOwn(standing.values, key) ? standing.values[key] : key === SCORE ? standing.score : null) ?? null;
}

/** Those that have both coordinates; the area of a bubble, not its width, goes with the size. */
export function toBubbles(standings: readonly Standing[], choice: MatrixChoice, size: Axis | null): Bubble[] {
  const bubbles = standings.flatMap((standing) => {
    const [x, y] = [choice.x === null ? null : valueOn(standing, choice.x), valueOn(standing, choice.y)];
    if (x === null || y === null) return [];
    const z = choice.z === null ? null : valueOn(standing, choice.z);
    const { id, score, count } = standing;
    return { id, title: nameOf(standing), x, y, z, r: size ? radiusOf(z, size) : PLAIN_RADIUS, score, count };
  });
  const places = new Map<string, number>();
  for (const { x, y } of bubbles) places.set(`${x}/${y}`, (places.get(`${x}/${y}`) ?? 0) + 1);
  return bubbles.map((bubble) => ({ ...bubble, hidden: (places.get(`${bubble.x}/${bubble.y}`) ?? 1) - 1 }));
}

function radiusOf(z: number | null, { domain: [low, high] }: Axis): number {
  if (z === null || !(high > low)) return SMALLEST;
  const share = Math.min(1, Math.max(0, (z - low) / (high - low)));
  return Math.sqrt(SMALLEST ** 2 + share * (LARGEST ** 2 - SMALLEST ** 2));
}

export function nameOf({ title }: { title: string | null }): string {
  return title ?? "Removed record";
}

export interface Dot {
  x: number;
  y: number;
  /** Responses that say just this. */
  count: number;
  r: number;
}

const MOST_DOTS = 2500; // what a browser draws without stutter
const DOT = { smallest: 3, largest: 9 };

export interface Overlay {
  dots: Dot[];
  /** How many single ratings there are, and how many of them the dots stand for. */
  total: number;
  drawn: number;
}

export const NO_OVERLAY: Overlay = { dots: [], total: 0, drawn: 0 };

/** What single responses say. Equal ones are one dot, so that a thousand answers on a scale of 5 are 25 dots. */
export function toDots(matrix: Matrix, choice: Pick<MatrixChoice, "x" | "y">): Overlay {
  const column = (key: string | null) => matrix.dimensions.findIndex((dimension) => dimension.key === key);
  const xs = matrix.cells.values[column(choice.x)] ?? [];
  const place = column(choice.y);
  const ys = place === -1 ? scoresOf(matrix) : (matrix.cells.values[place] ?? []);
  const counted = new Map<string, Dot>();
  let total = 0;
  xs.forEach((x, row) => {
    const y = ys[row] ?? null;
    if (x === null || y === null) return;
    total += 1;
    const key = `${x}/${y}`;
    const dot = counted.get(key);
    if (dot) dot.count += 1;
    else counted.set(key, { x, y, count: 1, r: 0 });
  });
  const dots = [...counted.values()];
  const most = dots.reduce((count, dot) => Math.max(count, dot.count), 1);
  const every = Math.ceil(dots.length / MOST_DOTS);
  const radius = (count: number) =>
    DOT.smallest + (DOT.largest - DOT.smallest) * (most === 1 ? 0 : Math.sqrt((count - 1) / (most - 1)));
  const kept = dots.filter((_, n) => n % every === 0);
  return {
    dots: kept.map((dot) => ({ ...dot, r: radius(dot.count) })),
    total,
    drawn: kept.reduce((sum, { count }) => sum + count, 0),
  };
}

function scoresOf({ dimensions, cells }: Matrix): (number | null)[] {
  return cells.connection.map((_, row) => {
    const values = Object.fromEntries(dimensions.map(({ key }, column) => [key, cells.values[column]?.[row]]));
    return responseScore(computeResponseScore(values, dimensions).normalized);
  });
}

export interface Axis {
  label: string;
  domain: [number, number];
  /** Where to write numbers; left to the chart when absent. */
  ticks: number[] | undefined;
}

const SCORES = [0, 25, 50, 75, 100];

/** The whole scale, so that two pictures of it can be compared; wider where something lies outside. */
export function axisOf(key: string, dimensions: readonly Dimension[], shown: readonly number[]): Axis {
  const dimension = dimensions.find((each) => each.key === key);
  if (!dimension) return { label: "Score", domain: [0, 100], ticks: SCORES };
  const [least, most] = [Math.min(...shown), Math.max(...shown)];
  const { label, scale } = dimension;
  if (scale) {
    const inside = shown.length === 0 || (least >= scale[0] && most <= scale[1]);
    const ticks = inside ? columnsOf(dimension) : [];
    return {
      label,
      domain: inside ? [scale[0], scale[1]] : [Math.min(scale[0], least), Math.max(scale[1], most)],
      ticks: ticks.length > 0 ? ticks : undefined,
    };
  }
  if (shown.length === 0) return { label, domain: [0, 1], ticks: undefined };
  const room = least === most ? Math.max(1, Math.abs(least) * 0.1) : (most - least) * 0.05;
  return { label, domain: [least - room, most + room], ticks: undefined };
}

const figures = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

export function formatValue(value: number | null): string {
  return value === null ? "–" : figures.format(value);
}

export const STRATEGY_LABEL: Record<Strategy, string> = { mean: "Mean", median: "Median", min: "Min", max: "Max" };

/** The picture in a sentence, for those who do not see it. */
export function describeChart(
  choice: MatrixChoice,
  labels: { x: string; y: string; z: string | null },
  bubbles: number,
  { drawn, total }: Pick<Overlay, "drawn" | "total">,
): string {
  const size = labels.z === null ? "" : `, the size of each ${labels.z}`;
  const each = drawn < total ? `for ${figures.format(drawn)} of ${figures.format(total)} single ratings` : "for each response";
  const overlay = choice.overlay ? `, with a dot ${each} underneath` : "";
  const count = bubbles === 1 ? "1 connection" : `${bubbles} connections`;
  return `Bubble chart of ${count} by ${STRATEGY_LABEL[choice.agg].toLowerCase()}: ${labels.x} across, ${labels.y} upwards${size}${overlay}. The table below has the same numbers.`;
}

type CsvCell = string | number | null;

export function toTable(standings: readonly Standing[], dimensions: readonly Dimension[]): CsvCell[][] {
  const head = ["Connected record", "Id", ...dimensions.map(({ label }) => label), "Score (0 to 100)", "Weighted score", "Responses"];
  const rows = standings.map((standing): CsvCell[] => [
    nameOf(standing),
    standing.id,
    ...dimensions.map(({ key }) => standing.values[key] ?? null),
    standing.score,
    standing.weighted,
    standing.count,
  ]);
  return [head, ...rows];
}
