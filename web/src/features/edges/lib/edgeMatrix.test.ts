// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import shared from "../../../../../cases/response_matrix.json";
import type { CriteriaSet } from "@/api/types";
import { numberOf, ratingOf, stripsFit, typeRating } from "@/features/criteria/lib/ratingText";
import { isNothingWritten } from "@/features/responses/lib/submission";
import { dropAllDrafts, keepDraft } from "@/ui/drafts";
import {
  EMPTY_MATRIX,
  checkMatrix,
  cleanMatrix,
  countGone,
  describeFaults,
  listAnswers,
  placeFaults,
  scoreMatrix,
  setCell,
  toMatrixSubmission,
  withoutFaultsOf,
} from "./edgeMatrix";
import { NO_TEXT, moveFor, moveTo } from "./gridKeys";
import { dropMatrixDraft, keepMatrixDraft, matrixDraftOf, readMatrixDraft } from "./matrixDraft";

const set = {
  id: "s",
  kind: "assessment",
  version: 3,
  scope: { type: "relation", fieldKey: "protocols" },
  dimensions: [
    { key: "rating", label: "Rating", type: "rating", scale: [1, 5], weight: 1, required: false },
    { key: "note", label: "Note", type: "text", required: false },
  ],
} as unknown as CriteriaSet;
const connections = [
  { id: "a", title: "Sauna" },
  { id: "b", title: "Cold plunge" },
];
const of = (values: Record<string, Record<string, unknown>>) => ({ ...EMPTY_MATRIX, values });

test("a cell changes without touching others", () => {
  const before = { a: { rating: 1 } };
  expect(setCell(setCell(before, "a", "note", "x"), "b", "rating", 2)).toEqual({
    a: { rating: 1, note: "x" },
    b: { rating: 2 },
  });
  expect(before).toEqual({ a: { rating: 1 } });
});

test("only what was filled in for what is still connected is sent", () => {
  const draft = { ...of({ a: { rating: 4, note: " " }, b: { rating: null }, gone: { rating: 1 } }), notes: " Why " };
  expect(toMatrixSubmission(draft, set, connections)).toEqual({
    criteria_set_id: "s",
    values: { a: { rating: 4 } },
    notes: "Why",
  });
  expect(countGone(draft.values, connections)).toBe(1);
  expect(cleanMatrix({}, connections)).toEqual({});
});

test("rows that are not begun have no fault; those that are, at their cell", () => {
  expect(checkMatrix(of({}), set, connections)).toEqual([]);
  const faults = checkMatrix(of({ a: { rating: 9 }, b: { rating: "x" } }), set, connections);
  expect(faults.map(({ path, code }) => [path, code])).toEqual([
    ["/values/a/rating", "out_of_scale"],
    ["/values/b/rating", "wrong_type"],
  ]);
});

test.each(shared.cases)("required: $case", ({ values, faults }) => {
  const strict = { ...set, dimensions: shared.dimensions } as unknown as CriteriaSet;
  const connected = shared.connections.map((id) => ({ id, title: id }));
  const found = checkMatrix(of(values as unknown as Record<string, Record<string, unknown>>), strict, connected);
  expect(found.map(({ path, code }) => [path, code])).toEqual(faults);
});

test("a temporal set asks which snapshot, also about connections", () => {
  const temporal = { ...set, kind: "temporal", temporal_key: "visit" } as CriteriaSet;
  expect(checkMatrix(of({}), temporal, connections).map(({ path }) => path)).toEqual(["/temporal_value"]);
});

test("faults stand at their cell or row; the rest is said above", () => {
  const faults = [
    { path: "/values/a/rating", code: "out_of_scale", message: "Too much" },
    { path: "/values/b", code: "unknown_connection", message: "Not connected" },
    { path: "/values/b/old", code: "unknown_dimension", message: "No such dimension" },
    { path: "/values/c", code: "unknown_connection", message: "Who is that" },
    { path: "/notes", code: "too_long", message: "Too long" },
  ];
  const { rows, rest } = placeFaults(faults, connections, set.dimensions);
  expect(Object.fromEntries(rows)).toEqual({
    a: { cells: { rating: "Too much" } },
    b: { row: "Not connected", cells: {} },
  });
  expect(describeFaults(rows, rest)).toBe("Who is that 2 values cannot be submitted as they are.");
  expect(withoutFaultsOf(faults, "b", "rating").map(({ path }) => path)).not.toContain("/values/b");
});

test("the score is the mean over the connections that have one", () => {
  expect(scoreMatrix({}, connections, set.dimensions)).toEqual({ normalized: null, rated: 0 });
  expect(scoreMatrix({ a: { rating: 5 }, b: { note: "only words" } }, connections, set.dimensions)).toEqual({
    normalized: 1,
    rated: 2,
  });
  expect(scoreMatrix({ a: { rating: 5 }, b: { rating: 3 } }, connections, set.dimensions).normalized).toBe(0.75);
});

test("an answer that wrote nothing is told from a response", () => {
  expect([isNothingWritten({ submitted: false }), isNothingWritten({ id: "r" })]).toEqual([true, false]);
});

test("a response about connections is a table, one about the record is none", () => {
  const asked = set.dimensions;
  expect(listAnswers({ criteria_snapshot: asked, values: { rating: 4, note: "x" } }).rows).toEqual([]);
  const { rows, dimensions } = listAnswers({ criteria_snapshot: asked, values: { a: { rating: 4 }, b: { note: "" } } });
  expect(rows).toEqual([{ id: "a", values: { rating: 4 } }, { id: "b", values: {} }]);
  expect(dimensions.map(({ key }) => key)).toEqual(["rating"]);
});

const press = (key: string, more = {}) => ({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });
const inText = { atStart: false, atEnd: false, multiline: false };

test.each([
  [press("ArrowDown"), NO_TEXT, "down"],
  [press("ArrowUp"), inText, "up"],
  [press("ArrowLeft"), NO_TEXT, "left"],
  [press("ArrowLeft"), inText, null],
  [press("ArrowRight"), { ...inText, atEnd: true }, "right"],
  [press("Enter"), inText, "down"],
  [press("Enter", { shiftKey: true }), inText, "up"],
  [press("Enter"), { ...inText, multiline: true }, null],
  [press("ArrowDown"), { ...inText, multiline: true }, null],
  [press("ArrowDown", { shiftKey: true }), NO_TEXT, null],
  [press("ArrowDown", { altKey: true }), NO_TEXT, null],
  [press("Home", { ctrlKey: true }), inText, "first"],
  [press("End", { metaKey: true }), inText, "last"],
  [press("Tab"), NO_TEXT, null],
  [press("4"), NO_TEXT, null],
] as const)("%o in %o moves %s", (pressed, caret, move) => {
  expect(moveFor(pressed, caret)).toBe(move);
});

test("the ends of the grid hold", () => {
  const at = { row: 0, column: 2 };
  expect(moveTo(at, "up", 3, 3)).toEqual(at);
  expect(moveTo(at, "right", 3, 3)).toEqual(at);
  expect(moveTo(at, "down", 3, 3)).toEqual({ row: 1, column: 2 });
  expect(moveTo(at, "left", 3, 3)).toEqual({ row: 0, column: 1 });
  expect(moveTo(at, "last", 3, 3)).toEqual({ row: 2, column: 2 });
  expect(moveTo(at, "first", 3, 3)).toEqual({ row: 0, column: 0 });
});

test.each([
  [[1, 2, 3, 4, 5], "", "4", "4", 4],
  [[1, 2, 3, 4, 5], "3", "34", "4", 4],
  [[1, 2, 3, 4, 5], "3", "37", "3", 3],
  [[1, 2, 3, 4, 5], "3", "", "", null],
  [[1, 2, 3, 4, 5], "", "x", "", null],
  [[0, 1, 10], "1", "10", "10", 10],
  [[-1, 0, 1], "", "-", "-", null],
  [[-1, 0, 1], "-", "-1", "-1", -1],
  [[1, 1.5, 2], "1", "1,", "1.", 1],
  [[1, 1.5, 2], "1.", "1.5", "1.5", 1.5],
] as const)("on %j, %j becoming %j is %j", (columns, before, typed, text, rating) => {
  expect(typeRating(columns, before, typed)).toBe(text);
  expect(ratingOf(columns, text)).toBe(rating);
});

test.each([
  ["", null],
  [" ", null],
  ["12", 12],
  ["-0,5", -0.5],
  [".5", 0.5],
  ["1e3", 1000],
  ["12x", "12x"],
  ["0x10", "0x10"],
] as const)("%j as a number is %j", (text, value) => {
  expect(numberOf(text)).toBe(value);
});

test("scales stand side by side only while they leave room", () => {
  const rating = { key: "r", label: "R", type: "rating" as const, required: false };
  expect(stripsFit([{ ...rating, scale: [1, 5] }])).toBe(true);
  expect(stripsFit([{ ...rating, scale: [0, 10] }])).toBe(false);
  expect(stripsFit(Array.from({ length: 5 }, () => ({ ...rating, scale: [1, 5] as [number, number] })))).toBe(false);
});

const name = ["u", "t", ...matrixDraftOf("e", set)].join("/");
const kept = (values: Record<string, Record<string, unknown>>) => ({
  id: "0190a000-0000-7000-8000-0000000000d1",
  keptAt: "2026-01-01T00:00:00.000Z",
  draft: of(values),
});

const read = (of: string, dimensions = set.dimensions) => readMatrixDraft(of, dimensions);

test("a draft comes back for the same record and set only", () => {
  expect(keepMatrixDraft(name, kept({ a: { rating: 4 } }))).toBe(true);
  expect(read(name)).toEqual(kept({ a: { rating: 4 } }));
  for (const other of [matrixDraftOf("e2", set), matrixDraftOf("e", { ...set, id: "s2" })]) {
    expect(read(["u", "t", ...other].join("/"))).toBeNull();
  }
});

test("a changed set leaves of a draft what it still asks for", () => {
  keepMatrixDraft(name, kept({ a: { rating: 4, note: "x" }, b: { note: "y" } }));
  const changed = { ...set, version: 4, dimensions: set.dimensions.filter(({ key }) => key === "rating") };
  const again = ["u", "t", ...matrixDraftOf("e", changed)].join("/");
  expect(read(again, changed.dimensions)).toEqual(kept({ a: { rating: 4 }, b: {} }));
  expect(read(again, [])).toBeNull();
});

test("a draft with nothing in it is none", () => {
  keepMatrixDraft(name, kept({ a: { rating: 4 } }));
  keepMatrixDraft(name, kept({ a: { rating: null } }));
  expect(localStorage.length).toBe(0);
});

test("it outlives the tab, and goes when somebody signs out", () => {
  keepMatrixDraft(name, kept({ a: { rating: 4 } }));
  sessionStorage.clear();
  expect(read(name)).not.toBeNull();
  dropAllDrafts();
  expect(localStorage.length).toBe(0);
});

test("what is not a draft is not taken for one, and blocked storage breaks nothing", () => {
  keepDraft(name, { values: 3 }, "browser");
  expect(read(name)).toBeNull();
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("full");
  });
  expect(keepMatrixDraft(name, kept({ a: { rating: 4 } }))).toBe(false);
  dropMatrixDraft(name);
});
