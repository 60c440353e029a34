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
  ["2026-06-15T12:01:00Z", "in 1 minute"],
  ["2026-06-15T12:59:29Z", "in 59 minutes"],
  ["2026-06-15T12:59:50Z", "in 1 hour"],
  ["2026-06-16T11:29:00Z", "in 23 hours"],
  ["2026-06-16T11:59:50Z", "in 1 day"],
  ["2026-07-15T11:59:50Z", "in 30 days"],
  ["2026-09-13T11:59:50Z", "in 90 days"],
  ["2026-10-13T12:00:00Z", "in 120 days"],
  ["2026-10-15T12:00:00Z", "in 4 months"],
  ["2027-06-15T11:59:50Z", "in 12 months"],
  ["2028-06-14T11:59:50Z", "in 2 years"],
  ["2036-06-15T12:00:00Z", "in 10 years"],
])("%s is worded %s", (moment, words) => {
  expect(formatRelative(moment, now)).toBe(words);
});
