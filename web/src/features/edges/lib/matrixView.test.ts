import { expect, test } from "vitest";
import * as v from "valibot";
import type { Dimension } from "@/api/types";
import { recordSearch } from "@/features/entities/lib/search";
import { aggregateCells } from "./aggregateMatrix";
import { placeLabels, shorten } from "./bubbleLabels";
import {
  type Matrix,
  type MatrixChoice,
  axisOf,
  describeChart,
  readChoice,
  toBubbles,
  toDots,
  toSearch,
  toSearchOf,
  toStandings,
  toTable,
} from "./matrixView";

const dimensions = [
  { key: "outcome", label: "Outcome", type: "rating", scale: [1, 5], weight: 1, required: false },
  { key: "effort", label: "Effort", type: "rating", scale: [1, 5], required: false },
  { key: "cost", label: "Cost", type: "number", required: false },
] as Dimension[];

const matrix: Matrix = {
  dimensions,
  connections: [
    { id: "a", title: "Sauna" },
    { id: "b", title: null },
    { id: "c", title: "Massage" },
  ],
  respondents: [{ kind: "user", id: "u", name: "Ada" }],
  cells: {
    connection: [0, 0, 1, 2],
    respondent: [0, 0, 0, 0],
    values: [
      [5, 3, 3, null],
      [1, 3, 3, 2],
      [100, null, 50, 10],
    ],
  },
};
const usual = readChoice({}, dimensions);
const standings = toStandings(matrix, aggregateCells(matrix, "mean"));

test("without an address: the first two dimensions, mean, no dots, best score first", () => {
  expect(usual).toEqual({
    x: "outcome",
    y: "effort",
    z: null,
    agg: "mean",
    overlay: false,
    sort: { key: "score", dir: "desc" },
  });
});

test("one dimension goes against the score; none at all draws nothing", () => {
  expect(readChoice({}, dimensions.slice(0, 1))).toMatchObject({ x: "outcome", y: "score" });
  expect(readChoice({}, [])).toMatchObject({ x: null, y: "score" });
});

test.each([
  ["x=cost&y=outcome&z=effort&agg=median&overlay=1&sort=title&dir=asc", { x: "cost", y: "outcome", z: "effort", agg: "median", overlay: true, sort: { key: "title", dir: "asc" } }],
  ["x=nope&y=&z=nope&agg=mode&overlay=yes&sort=nope&dir=up", usual],
  ["overlay=0", usual],
  ["sort=cost", { ...usual, sort: { key: "cost", dir: "desc" } }],
  ["dir=asc", { ...usual, sort: { key: "score", dir: "asc" } }],
  ["x=2026", usual],
])("the address %s", (address, expected) => {
  const parsed = Object.fromEntries(
    [...new URLSearchParams(address)].map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]),
  );
  expect(readChoice(v.parse(recordSearch, parsed), dimensions)).toEqual(expected);
});

test("an address says only what differs, and reads back as the same", () => {
  expect(Object.values(toSearch(usual, dimensions)).filter((value) => value !== undefined)).toEqual([]);
  const choices: MatrixChoice[] = [
    { ...usual, x: "cost", z: "effort", overlay: true },
    { ...usual, agg: "max", sort: { key: "title", dir: "asc" } },
    { ...usual, y: "outcome", sort: { key: "cost", dir: "desc" } },
  ];
  for (const choice of choices) expect(readChoice(toSearch(choice, dimensions), dimensions)).toEqual(choice);
});

test("a part of a choice says nothing about the rest of the address", () => {
  expect(toSearchOf({ agg: "max" }, usual, dimensions)).toEqual({ agg: "max" });
  expect(toSearchOf({ agg: "mean" }, { ...usual, agg: "max" }, dimensions)).toEqual({ agg: undefined });
  expect(toSearchOf({ sort: { key: "cost", dir: "desc" } }, usual, dimensions)).toEqual({ sort: "cost", dir: undefined });
});

test("standings have what came out for each connection", () => {
  expect(standings).toEqual([
    { id: "a", title: "Sauna", count: 2, values: { outcome: 4, effort: 2, cost: 100 }, score: 75, weighted: 4 },
    { id: "b", title: null, count: 1, values: { outcome: 3, effort: 3, cost: 50 }, score: 50, weighted: 3 },
    { id: "c", title: "Massage", count: 1, values: { outcome: null, effort: 2, cost: 10 }, score: null, weighted: null },
  ]);
});

test("bubbles are those with both coordinates, sized by area", () => {
  const size = axisOf("cost", dimensions, [0, 100]);
  const bubbles = toBubbles(standings, { ...usual, z: "cost" }, { ...size, domain: [0, 100] });
  expect(bubbles.map(({ id, title, x, y, z }) => [id, title, x, y, z])).toEqual([
    ["a", "Sauna", 4, 2, 100],
    ["b", "Removed record", 3, 3, 50],
  ]);
  const [large = 0, half = 0] = bubbles.map(({ r }) => r ** 2);
  expect(large).toBeCloseTo(26 ** 2);
  expect(half).toBeCloseTo((26 ** 2 + 6 ** 2) / 2);
  expect(new Set(toBubbles(standings, usual, null).map(({ r }) => r)).size).toBe(1);
});

test("a bubble knows how many others it covers", () => {
  const [one] = standings;
  expect(toBubbles([one!, { ...one!, id: "twin" }, standings[1]!], usual, null).map(({ hidden }) => hidden)).toEqual([1, 1, 0]);
});

test("equal answers are one dot", () => {
  const { dots, total, drawn } = toDots(matrix, usual);
  expect([total, drawn]).toEqual([3, 3]);
  expect(dots.map(({ x, y, count }) => [x, y, count])).toEqual([
    [5, 1, 1],
    [3, 3, 2],
  ]);
});

test("against the score, each dot has the score of its response", () => {
  const { dots } = toDots(matrix, { ...usual, y: "score" });
  expect(dots.map(({ x, y }) => [x, y])).toEqual([
    [5, 100],
    [3, 50],
  ]);
});

test("a hundred thousand different answers are thinned out", () => {
  const many = Array.from({ length: 100_000 }, (_, n) => n);
  const cells = { connection: many.map(() => 0), respondent: many, values: [many, many, many] };
  const { dots, total, drawn } = toDots({ ...matrix, cells }, usual);
  expect(total).toBe(100_000);
  expect(dots.length).toBeLessThanOrEqual(2500);
  expect(drawn).toBe(dots.length);
});

test("what was left out is not counted as drawn, however many say the same", () => {
  const many = Array.from({ length: 6000 }, (_, n) => n % 3000); // each place twice
  const cells = { connection: many.map(() => 0), respondent: many, values: [many, many, many] };
  const { dots, total, drawn } = toDots({ ...matrix, cells }, usual);
  expect([dots.length, drawn, total]).toEqual([1500, 3000, 6000]);
});

test("axes show the whole scale, and more only where something lies outside", () => {
  expect(axisOf("outcome", dimensions, [2, 3])).toEqual({ label: "Outcome", domain: [1, 5], ticks: [1, 2, 3, 4, 5] });
  expect(axisOf("outcome", dimensions, [2, 9])).toEqual({ label: "Outcome", domain: [1, 9], ticks: undefined });
  expect(axisOf("cost", dimensions, [0, 100]).domain).toEqual([-5, 105]);
  expect(axisOf("cost", dimensions, [7]).domain).toEqual([6, 8]);
  expect(axisOf("cost", dimensions, []).domain).toEqual([0, 1]);
  expect(axisOf("score", dimensions, [3]).domain).toEqual([0, 100]);
});

test("the picture in a sentence", () => {
  const choice: MatrixChoice = { ...usual, agg: "median", overlay: true };
  const labels = { x: "Outcome", y: "Effort", z: "Cost" };
  expect(describeChart(choice, labels, 2, { drawn: 3, total: 3 })).toBe(
    "Bubble chart of 2 connections by median: Outcome across, Effort upwards, the size of each Cost, with a dot for each response underneath. The table below has the same numbers.",
  );
  expect(describeChart(choice, labels, 2, { drawn: 2500, total: 100_000 })).toContain(
    ", with a dot for 2,500 of 100,000 single ratings underneath.",
  );
});

test("the table for other programs has a head and every figure", () => {
  expect(toTable(standings.slice(2), dimensions)).toEqual([
    ["Connected record", "Id", "Outcome", "Effort", "Cost", "Score (0 to 100)", "Weighted score", "Responses"],
    ["Massage", "c", null, 2, 10, null, null, 1],
  ]);
});

const area = { x: 0, y: 0, width: 300, height: 100 };

test("labels stand beside their bubbles and never on each other", () => {
  const at = (id: string, cx: number, cy: number) => ({ id, title: `Label ${id}`, cx, cy, r: 8 });
  const placed = placeLabels([at("a", 50, 50), at("b", 60, 52), at("c", 290, 50)], area);
  expect(placed.find(({ id }) => id === "c")?.anchor).toBe("end");
  expect(new Set(placed.map(({ x, y }) => `${x}/${y}`)).size).toBe(placed.length);
});

test("where there is no room there is no label", () => {
  const crowd = Array.from({ length: 40 }, (_, n) => ({ id: String(n), title: "The same place", cx: 150, cy: 50, r: 8 }));
  expect(placeLabels(crowd, area).length).toBeLessThanOrEqual(4);
  expect(shorten("A title that goes on and on and on")).toBe("A title that goes on an…");
});
