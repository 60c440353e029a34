import { expect, test } from "vitest";
import { response } from "@/testing/records";
import { areApart, describeFrequencies, dimensionsOf, formatFigure } from "./statistics";

test.each([
  [null, "–"],
  [3, "3"],
  [3.6666667, "3.67"],
  [1200.5, "1,200.5"],
])("%s is written %s", (value, text) => {
  expect(formatFigure(value)).toBe(text);
});

test("only what was chosen is counted", () => {
  expect(describeFrequencies({ keep: 3, watch: 0, replace: 1 })).toBe("keep 3×, replace 1×");
  expect(describeFrequencies(null)).toBe("");
});

const rating = { key: "team", label: "Team", type: "rating" as const, scale: [1, 5] as [number, number], required: false };

test.each([
  [[1, 5], true],
  [[3, 4.2], true],
  [[3, 4], false],
  [[3], false],
  [[1, "5", null], false],
])("whether %j are far apart on 1 to 5: %s", (values, apart) => {
  expect(areApart(rating, values)).toBe(apart);
});

test("numbers without a scale are not called apart", () => {
  expect(areApart({ ...rating, scale: null }, [1, 500])).toBe(false);
});

test("a dimension is called what the newest response calls it, and one that is gone stays", () => {
  const old = { ...response, created_at: "2025-01-01T00:00:00Z", criteria_snapshot: [{ ...rating, label: "Old" }, { ...rating, key: "gone" }] };
  const now = { ...response, criteria_snapshot: [rating] };
  expect(dimensionsOf([old, now]).map(({ key, label }) => [key, label])).toEqual([["team", "Team"], ["gone", "Team"]]);
});
