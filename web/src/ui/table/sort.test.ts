import { expect, test } from "vitest";
import { nextSort, readSort, sortRows } from "./sort";

const byValue = (row: string | number | null) => row;

test.each([
  ["empty", [], "asc", []],
  ["single", ["a"], "asc", ["a"]],
  ["words without regard to case", ["b", "A", "c"], "asc", ["A", "b", "c"]],
  ["numbers inside words", ["key 10", "key 9"], "asc", ["key 9", "key 10"]],
  ["numbers", [10, 9, 1], "asc", [1, 9, 10]],
  ["descending", [1, 3, 2], "desc", [3, 2, 1]],
  ["missing last when ascending", [null, 2, 1], "asc", [1, 2, null]],
  ["missing last when descending", [null, 1, 2], "desc", [2, 1, null]],
  ["all missing", [null, null], "desc", [null, null]],
] as const)("%s", (_name, rows, dir, sorted) => {
  expect(sortRows<string | number | null>(rows, byValue, dir)).toEqual(sorted);
});

test("ties keep their order", () => {
  const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];
  expect(sortRows(rows, () => "same", "desc")).toEqual(rows);
});

test.each([
  [{ key: "a", dir: "asc" }, "a", { key: "a", dir: "desc" }],
  [{ key: "a", dir: "desc" }, "a", { key: "a", dir: "asc" }],
  [{ key: "a", dir: "desc" }, "b", { key: "b", dir: "asc" }],
] as const)("%j then %s gives %j", (current, key, next) => {
  expect(nextSort(current, key)).toEqual(next);
});

const fallback = { key: "name", dir: "asc" } as const;
test.each([
  [{}, fallback],
  [{ sort: "bogus", dir: "desc" }, fallback],
  [{ sort: "role" }, { key: "role", dir: "asc" }],
  [{ sort: "role", dir: "desc" }, { key: "role", dir: "desc" }],
] as const)("the address %j means %j", (search, sort) => {
  expect(readSort(search, ["name", "role"], fallback)).toEqual(sort);
});
