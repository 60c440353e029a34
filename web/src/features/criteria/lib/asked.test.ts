import { expect, test } from "vitest";
import { fromLocalTime, lineType, presentText, rangeText, toLocalTime } from "./asked";

const field = (rules: object, unit: string | null = null, present: unknown = null) => ({
  key: "f",
  rules: rules as Record<string, unknown>,
  unit,
  present,
});

test.each([
  [{ scale: [1, 5] as [number, number] }, field({ minimum: 0 }), "1 to 5"],
  [{}, field({ minimum: 0, maximum: 365 }, "days"), "0 to 365 days"],
  [{}, field({ minimum: 0 }), "At least 0"],
  [{}, field({ maximum: 9 }), "At most 9"],
  [{ step: 0.5 }, field({}), "in steps of 0.5"],
  [{ step: 1 }, undefined, ""],
])("the range of %j is said", (dimension, asked, text) => {
  expect(rangeText(dimension, asked)).toBe(text);
});

test("what the record holds is said with its unit, or that it holds nothing", () => {
  expect(presentText(field({}, "days", 120))).toBe("The record has 120 days");
  expect(presentText(field({}, null, false))).toBe("The record has No");
  expect(presentText(field({}, "days"))).toBe("The record has no value");
  expect(presentText(undefined)).toBe("");
});

test.each([
  ["date", "date"],
  ["date-time", "datetime-local"],
  ["email", "email"],
  ["uri", "url"],
  ["hostname", "text"],
  [undefined, "text"],
])("a format %s is asked by an input of type %s", (format, type) => {
  expect(lineType({ format })).toBe(type);
});

test("a moment comes back as it went", () => {
  expect(fromLocalTime(toLocalTime("2026-01-31T12:30:00Z"))).toBe("2026-01-31T12:30:00Z");
  expect(toLocalTime("soon")).toBe("");
  expect(fromLocalTime("")).toBe("");
});
