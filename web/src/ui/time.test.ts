import { expect, test } from "vitest";
import { formatRelative } from "./time";

const now = new Date("2026-06-15T12:00:00Z");

test.each([
  ["2026-06-15T11:59:50Z", "just now"],
  ["2026-06-15T12:00:00Z", "just now"],
  ["2026-06-15T12:00:30Z", "in a moment"],
  ["2026-06-15T11:58:30Z", "1 minute ago"],
  ["2026-06-15T09:00:00Z", "3 hours ago"],
  ["2026-06-14T11:00:00Z", "yesterday"],
  ["2026-06-20T12:00:00Z", "in 5 days"],
  ["2026-03-01T12:00:00Z", "3 months ago"],
  ["2020-06-15T12:00:00Z", "6 years ago"],
  ["nonsense", "nonsense"],
])("%s is worded %s", (moment, words) => {
  expect(formatRelative(moment, now)).toBe(words);
});
