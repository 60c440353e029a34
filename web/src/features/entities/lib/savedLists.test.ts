import { expect, test } from "vitest";
import type { SavedList } from "@/api/types";
import { isSame, mayChange, toQuery, toSearch } from "./savedLists";

const NOTHING = { type: undefined, q: undefined, min_score: undefined, waits: undefined, sort: undefined, cols: undefined, list: undefined, new: undefined };
const id = "0190a000-0000-7000-8000-000000000009";

test.each([
  [{}, [], { type: null, q: null, min_score: null, waits: null, sort: null, columns: [] }],
  [{ sort: "-created" }, ["price"], { type: null, q: null, min_score: null, waits: null, sort: null, columns: [] }],
  [
    { type: "item", q: "nimbus", min_score: 60, waits: true as const, sort: "-content.price" },
    ["price", "stage"],
    { type: "item", q: "nimbus", min_score: 60, waits: true, sort: "-content.price", columns: ["price", "stage"] },
  ],
])("%j with columns %j is saved, and opened as it was", (search, columns, query) => {
  const asked = { ...NOTHING, ...search };
  expect(toQuery(asked, columns)).toEqual(query);
  const opened = toSearch({ id, query });
  expect(opened.list).toBe(id);
  expect(isSame(toQuery(opened, opened.cols ?? []), query)).toBe(true);
});

test("another order of columns is another list", () => {
  const search = { ...NOTHING, type: "item" };
  expect(isSame(toQuery(search, ["a", "b"]), toQuery(search, ["b", "a"]))).toBe(false);
});

const list = { id, own: true, shared: false } as SavedList;

test.each([
  [{ own: true, shared: false }, [], true],
  [{ own: true, shared: true }, [], false],
  [{ own: true, shared: true }, ["saved_lists.team.share"], true],
  [{ own: false, shared: true }, ["saved_lists.team.share"], false],
  [{ own: false, shared: true }, ["saved_lists.team.share", "saved_lists.team.manage"], true],
])("%j with %j may be changed: %s", (whose, permissions, may) => {
  expect(mayChange({ ...list, ...whose }, (permission) => permissions.includes(permission as never))).toBe(may);
});
