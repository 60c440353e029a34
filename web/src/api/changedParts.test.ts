import { expect, test } from "vitest";
import { changedParts } from "./changedParts";

test.each([
  [{}, {}, {}],
  [{ a: 1, b: [1] }, { a: 1, b: [1] }, {}],
  [{ a: 1, b: [1] }, { a: 1, b: [2] }, { b: [2] }],
  [{ a: "x" }, { a: null }, { a: null }],
  [{ a: 1 }, { a: true }, { a: true }],
])("of %j and %j only what differs is sent", (before, after, parts) => {
  expect(changedParts<object>(before, after)).toEqual(parts);
});
