import { expect, test } from "vitest";
import { changedParts, partsChangedByBoth } from "./changedParts";

test.each([
  [{}, {}, {}],
  [{ a: 1, b: [1] }, { a: 1, b: [1] }, {}],
  [{ a: 1, b: [1] }, { a: 1, b: [2] }, { b: [2] }],
  [{ a: "x" }, { a: null }, { a: null }],
  [{ a: 1 }, { a: true }, { a: true }],
])("of %j and %j only what differs is sent", (before, after, parts) => {
  expect(changedParts<object>(before, after)).toEqual(parts);
});

const words = { name: "Name", shape: "Display", size: "Display" };
const before = { name: "a", shape: 1, size: 1 };
test.each([
  ["nothing", {}, {}, []],
  ["only mine", { name: "b" }, {}, []],
  ["only theirs", {}, { name: "b" }, []],
  ["different parts", { name: "b" }, { size: 2 }, []],
  ["the same change", { name: "b" }, { name: "b" }, []],
  ["one part", { name: "b", size: 2 }, { name: "c" }, ["Name"]],
  ["two parts of one word", { shape: 2, size: 2 }, { shape: 3, size: 3 }, ["Display"]],
])("changed by both: %s", (_name, mine, theirs, both) => {
  expect(partsChangedByBoth(before, { ...before, ...mine }, { ...before, ...theirs }, words)).toEqual(both);
});
