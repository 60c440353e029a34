import { expect, test } from "vitest";
import type { LimitUse } from "@/api/types";
import { describeUse, fromForm, toForm, colorOfUse, usedPercent } from "./words";

const use = (more: Partial<LimitUse>): LimitUse => ({
  limit: "requests_per_minute", most: null, used: null, left: null, resets_at: null, ...more,
});

test.each<[Partial<LimitUse>, string]>([
  [{}, "No limit"],
  [{ used: 7, limit: "tokens_per_day" }, "7 used, no limit"],
  [{ most: 600, used: 12, left: 588 }, "12 of 600 used, 588 left"],
  [{ most: 2, used: 0.5, left: 1.5, limit: "cost_per_day" }, "$0.50 of $2.00 used, $1.50 left"],
  [{ most: 2048, used: null, left: 2048, limit: "storage_bytes" }, "Not measured yet, at most 2.0 KB"],
])("%j is told as %s", (more, text) => {
  expect(describeUse(use(more))).toBe(text);
});

test.each([
  [null, 5, null],
  [10, null, null],
  [10, 0, 0],
  [1000, 999, 99],
  [10, 30, 100],
])("of %s %s are %s percent", (most, used, percent) => {
  expect(usedPercent({ most, used })).toBe(percent);
});

test.each([[0, "blue"], [79, "blue"], [80, "orange"], [100, "red"]])("%s percent are %s", (percent, color) => {
  expect(colorOfUse(percent)).toBe(color);
});

test("a form shows storage in GiB, and nothing for no limit", () => {
  const limits = {
    requests_per_minute: 600, key_requests_per_minute: null, tokens_per_day: null, cost_per_day: 1.5, storage_bytes: 1024 ** 3 / 2,
  };
  const values = toForm(limits);
  expect(values).toEqual({ requests_per_minute: 600, key_requests_per_minute: "", tokens_per_day: "", cost_per_day: 1.5, storage_bytes: 0.5 });
  expect(fromForm(values)).toEqual(limits);
});
