/**
 * What many responses say about each connection of a record, as the server computes it
 * (`aggregate_matrix.py`), so that another strategy needs no request. `cases/response_aggregate.json`
 * holds both to it. Pure.
 */
import { isNumber } from "@/api/plain";
import type { Dimension } from "@/api/types";
import { isNumeric } from "@/features/criteria/lib/dimensionTypes";
import { computeResponseScore } from "@/features/criteria/lib/scoring";
import { isEmpty } from "@/features/criteria/lib/values";
import type { Strategy } from "@/features/entities/lib/search";

export interface DimensionAggregate {
  /** Null where nobody gave a number. */
  value: number | null;
  count: number;
}

export interface ConnectionAggregate {
  /** How many responses say anything, in numbers or words, about the connection. */
  count: number;
  dimensions: Record<string, DimensionAggregate>;
  weighted_score: number | null;
  normalized_score: number | null;
}

/** One row per response and connection, in columns; `values[d][row]` is of the d-th dimension. */
export interface Cells {
  connection: readonly number[];
  respondent: readonly number[];
  values: readonly (readonly (number | null)[])[];
}

export interface CellMatrix {
  /** The numeric ones only. */
  dimensions: readonly Dimension[];
  connections: readonly { id: string }[];
  cells: Cells;
}

export interface MatrixResponse {
  /** `{connection id: {dimension key: value}}` */
  values: Readonly<Record<string, unknown>>;
}

/** By connection id, in the order in which they first appear. Each response counts by itself. */
export function computeResponseAggregate(
  responses: readonly MatrixResponse[],
  criteriaSet: { dimensions: readonly Dimension[] },
  strategy: Strategy,
): Record<string, ConnectionAggregate> {
  return aggregateCells(toMatrix(responses, criteriaSet.dimensions), strategy);
}

/** Only the connections that anything is said about; `respondent` is the place of the response. */
export function toMatrix(responses: readonly MatrixResponse[], all: readonly Dimension[]): CellMatrix {
  const dimensions = all.filter(({ type }) => isNumeric(type));
  const places = new Map<string, number>();
  const connection: number[] = [];
  const respondent: number[] = [];
  const values = dimensions.map((): (number | null)[] => []);
  responses.forEach((response, place) => {
    for (const [id, given] of Object.entries(response.values)) {
      if (!isObject(given) || !Object.values(given).some(saysSomething)) continue;
      const known = places.get(id) ?? places.size;
      places.set(id, known);
      connection.push(known);
      respondent.push(place);
      dimensions.forEach(({ key }, column) => {
        const value = Object.hasOwn(given, key) ? given[key] : null;
        values[column]?.push(isNumber(value) ? value : null);
      });
    }
  });
  return { dimensions, connections: [...places.keys()].map((id) => ({ id })), cells: { connection, respondent, values } };
}

export function aggregateCells(matrix: CellMatrix, strategy: Strategy): Record<string, ConnectionAggregate> {
  const { dimensions, connections, cells } = matrix;
  const { starts, order } = groupRows(cells.connection, connections.length);
  const combine = COMBINE[strategy];
  const scratch = new Float64Array(cells.connection.length);
  const found: [string, ConnectionAggregate][] = [];
  connections.forEach(({ id }, place) => {
    const [from, to] = [starts[place] ?? 0, starts[place + 1] ?? 0];
    if (from === to) return;
    const own = dimensions.map(({ key }, column): [string, DimensionAggregate] => {
      const count = gather(cells.values[column] ?? [], order, from, to, scratch);
      return [key, { value: count > 0 ? combine(scratch.subarray(0, count)) : null, count }];
    });
    const score = computeResponseScore(Object.fromEntries(own.map(([key, { value }]) => [key, value])), dimensions);
    found.push([
      id,
      {
        count: to - from,
        dimensions: Object.fromEntries(own),
        weighted_score: score.weighted,
        normalized_score: score.normalized,
      },
    ]);
  });
  return Object.fromEntries(found);
}

/** The rows of each connection beside each other: those of the nth are `order[starts[n]]` to `order[starts[n + 1] - 1]`. */
function groupRows(connection: readonly number[], connections: number) {
  const starts = new Int32Array(connections + 1);
  for (const place of connection) starts[place + 1]! += 1;
  for (let place = 0; place < connections; place += 1) starts[place + 1]! += starts[place]!;
  const next = starts.slice();
  const order = new Int32Array(connection.length);
  connection.forEach((place, row) => {
    order[next[place]!] = row;
    next[place]! += 1;
  });
  return { starts, order };
}

/** Copies the numbers of some rows to the beginning of `into`; says how many. */
function gather(
  column: readonly (number | null)[],
  order: Int32Array,
  from: number,
  to: number,
  into: Float64Array,
): number {
  let count = 0;
  for (let place = from; place < to; place += 1) {
    const value = column[order[place]!];
    if (isNumber(value)) {
      into[count] = value;
      count += 1;
    }
  }
  return count;
}

const COMBINE: Record<Strategy, (numbers: Float64Array) => number> = {
  mean,
  median: (numbers) => {
    const sorted = numbers.sort();
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  },
  min: (numbers) => numbers.reduce((one, other) => Math.min(one, other)),
  max: (numbers) => numbers.reduce((one, other) => Math.max(one, other)),
};

/** Carries what each addition rounds away, as the server does; and never leaves the numbers themselves. */
function mean(numbers: Float64Array): number {
  let [sum, lost, low, high] = [0, 0, numbers[0]!, numbers[0]!];
  for (const value of numbers) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return Math.min(Math.max((sum + lost) / numbers.length, low), high);
}

function saysSomething(value: unknown): boolean {
  return isNumber(value) || (typeof value === "string" && !isEmpty(value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
