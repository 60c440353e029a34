import { expect, test } from "vitest";
import { drawnRows, offsetOf } from "./windowing";

const rows = [10, 20, 30, 40];

test.each([
  ["nothing", [], 0, 100, { start: 0, end: 0, before: 0, after: 0 }],
  ["all of a short list", rows, 0, 1000, { start: 0, end: 4, before: 0, after: 0 }],
  ["what has begun before the top", rows, 15, 25, { start: 1, end: 2, before: 10, after: 70 }],
  ["a row that ends at the top is gone", rows, 30, 31, { start: 2, end: 3, before: 30, after: 40 }],
  ["a row that begins at the bottom is not there yet", rows, 0, 10, { start: 0, end: 1, before: 0, after: 90 }],
  ["the list is below the window", rows, -500, -100, { start: 0, end: 0, before: 0, after: 100 }],
  ["the list is above the window", rows, 500, 900, { start: 4, end: 4, before: 100, after: 0 }],
])("%s", (_name, heights, top, bottom, drawn) => {
  expect(drawnRows(heights, top, bottom)).toEqual(drawn);
});

test.each([
  [0, 0],
  [1, 10],
  [3, 60],
  [9, 100],
  [-1, 0],
])("row %i begins at %i", (row, offset) => {
  expect(offsetOf(rows, row)).toBe(offset);
});
