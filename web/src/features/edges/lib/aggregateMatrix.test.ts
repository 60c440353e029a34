import { expect, test } from "vitest";
import cases from "../../../../../cases/response_aggregate.json";
import type { Dimension } from "@/api/types";
import { STRATEGIES, type Strategy } from "@/features/entities/lib/search";
import {
  type ConnectionAggregate,
  type MatrixResponse,
  aggregateCells,
  computeResponseAggregate,
  toMatrix,
} from "./aggregateMatrix";

interface Case {
  name: string;
  strategy: Strategy;
  dimensions: Dimension[];
  responses: MatrixResponse[];
  expected: Record<string, ConnectionAggregate>;
}

const table = cases as unknown as Case[];

/** As close as the last digits of a float allow, however large it is. */
function expectClose(found: number | null | undefined, expected: number | null | undefined): void {
  if (typeof expected !== "number") return expect(found).toBe(expected);
  expect(typeof found).toBe("number");
  expect(Math.abs((found ?? 0) - expected)).toBeLessThanOrEqual(Math.max(1e-9, Math.abs(expected) * 1e-9));
}

test.each(table)("$name", ({ strategy, dimensions, responses, expected }) => {
  const found = computeResponseAggregate(responses, { dimensions }, strategy);
  expect(Object.keys(found)).toEqual(Object.keys(expected));
  for (const [id, own] of Object.entries(expected)) {
    const mine = found[id];
    expect(mine?.count).toBe(own.count);
    expect(Object.keys(mine?.dimensions ?? {})).toEqual(Object.keys(own.dimensions));
    for (const [key, { value, count }] of Object.entries(own.dimensions)) {
      expectClose(mine?.dimensions[key]?.value, value);
      expect(mine?.dimensions[key]?.count).toBe(count);
    }
    expectClose(mine?.weighted_score, own.weighted_score);
    expectClose(mine?.normalized_score, own.normalized_score);
  }
});

test.each(table)("columns and maps agree: $name", ({ dimensions, responses }) => {
  const matrix = JSON.parse(JSON.stringify(toMatrix(responses, dimensions)));
  for (const strategy of STRATEGIES) {
    expect(aggregateCells(matrix, strategy)).toEqual(computeResponseAggregate(responses, { dimensions }, strategy));
  }
});

const NUMBER = { key: "n", label: "N", type: "number", required: false } as Dimension;

/** Small, repeatable, and good enough to shake a sum. */
function* noise(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

test("mean and median lie between min and max, whatever the numbers", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = noise(seed);
    const next = () => random.next().value as number;
    const size = 1 + Math.floor(next() * 9);
    const numbers = Array.from({ length: size }, () => (next() - 0.5) * 10 ** Math.floor(next() * 100));
    const responses = numbers.map((n) => ({ values: { a: { n } } }));
    const [mean, median, min, max] = STRATEGIES.map(
      (strategy) => computeResponseAggregate(responses, { dimensions: [NUMBER] }, strategy).a?.dimensions.n?.value ?? NaN,
    ) as [number, number, number, number];
    expect(min).toBe(Math.min(...numbers));
    expect(max).toBe(Math.max(...numbers));
    expect(min <= mean && mean <= max && min <= median && median <= max).toBe(true);
  }
});

test("a connection or a dimension may have any name", () => {
  const dimensions = [{ ...NUMBER, key: "__proto__" }];
  const responses = JSON.parse('[{"values": {"__proto__": {"__proto__": 3}}}]') as MatrixResponse[];
  const found = computeResponseAggregate(responses, { dimensions }, "mean");
  expect(Object.entries(found)).toHaveLength(1);
  expect(Object.entries(Object.values(found)[0]?.dimensions ?? {})).toEqual([["__proto__", { value: 3, count: 1 }]]);
});

test("the given columns are left as they are", () => {
  const matrix = toMatrix([{ values: { a: { n: 3 } } }, { values: { a: { n: 1 } } }], [NUMBER]);
  const before = JSON.stringify(matrix);
  aggregateCells(matrix, "median");
  expect(JSON.stringify(matrix)).toBe(before);
});
