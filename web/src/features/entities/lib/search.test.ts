import * as v from "valibot";
import { expect, test } from "vitest";
import { isNarrowed, knownSort, knownType, recordSearch, recordsSearch } from "./search";

test.each([
  [{}, {}],
  [{ sort: "-score", type: "company", q: "north", min_score: 40 }, { sort: "-score", type: "company", q: "north", min_score: 40 }],
  [{ sort: "price", min_score: "many", q: "  ", type: "" }, {}],
  [{ min_score: 0 }, {}],
  [{ min_score: 101 }, {}],
  [{ min_score: Number.NaN }, {}],
  [{ q: 2026 }, { q: "2026" }],
  [{ q: ["a"] }, {}],
  [{ q: "x".repeat(501) }, {}],
  [{ tab: "responses" }, {}],
])("the list reads %j as %j", (given, read) => {
  expect(JSON.parse(JSON.stringify(v.parse(recordsSearch, given)))).toEqual(read);
});

const id = "0190a000-0000-7000-8000-000000000009";

test.each([
  [{}, {}],
  [{ tab: "responses", status: "rejected", response: id }, { tab: "responses", status: "rejected", response: id }],
  [{ tab: "secrets", status: "gone", response: "../etc" }, {}],
  [{ history: "revenue" }, { history: "revenue" }],
  [{ view: "brief" }, { view: "brief" }],
  [{ view: ["brief"] }, {}],
  [{ history: 1 }, { history: "1" }],
])("a record reads %j as %j", (given, read) => {
  expect(JSON.parse(JSON.stringify(v.parse(recordSearch, given)))).toEqual(read);
});

test.each([
  [{}, false],
  [{ sort: "title" as const }, false],
  [{ q: "a" }, true],
  [{ min_score: 40 }, true],
  [{ type: "company" }, true],
])("isNarrowed(%j) is %s", (search, narrowed) => {
  expect(isNarrowed({ type: undefined, q: undefined, min_score: undefined, sort: undefined, ...search })).toBe(narrowed);
});

test("a type that is not there filters by nothing", () => {
  expect(knownType("company", [{ slug: "company" }])).toBe("company");
  expect(knownType("gone", [{ slug: "company" }])).toBeUndefined();
  expect(knownType(undefined, [])).toBeUndefined();
});

test.each([
  [undefined, "-created"],
  ["score", "score"],
  ["-content.price", "-content.price"],
  ["content.price", "content.price"],
  ["content.gone", "-created"],
])("a list sorted by %s is asked for by %s", (sort, asked) => {
  expect(knownSort(sort, [{ key: "price" }])).toBe(asked);
});

test("columns and orders by field are read from the address", () => {
  const read = v.parse(recordsSearch, { type: "deal", sort: "-content.price", cols: ["price", "stage"] });
  expect(read).toMatchObject({ sort: "-content.price", cols: ["price", "stage"] });
  expect(v.parse(recordsSearch, { cols: "price", sort: "content." })).toEqual({});
});
