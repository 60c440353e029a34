import { expect, test } from "vitest";
import { response } from "@/testing/records";
import { foldClosed } from "./groups";
import { isOpen } from "./status";

test.each([
  [{ status: "submitted" as const }, true],
  [{ status: "partially_promoted" as const }, true],
  [{ status: "promoted" as const }, false],
  [{ status: "superseded" as const }, false],
  [{ status: "rejected" as const }, false],
  [{ withdrawn_at: "2026-01-01T00:00:00Z" }, false],
])("%j is open: %s", (part, open) => expect(isOpen({ ...response, ...part })).toBe(open));

test("what is not shown is counted", () => {
  const rejected = { ...response, id: "r", status: "rejected" as const };
  const groups = [{ criteriaSetId: "s", rows: [response, rejected] }];
  expect(foldClosed(groups, isOpen)).toEqual([{ criteriaSetId: "s", rows: [response], folded: 1 }]);
  expect(foldClosed([], isOpen)).toEqual([]);
});
