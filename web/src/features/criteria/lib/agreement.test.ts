import { expect, test } from "vitest";
import type { Agreement } from "@/api/types";
import { gradeAlpha, whyNone } from "./agreement";

test.each([
  [1, "Reliable"],
  [0.8, "Reliable"],
  [0.799, "Tentative"],
  [0.667, "Tentative"],
  [0.666, "Low"],
  [-0.5, "Low"],
])("an alpha of %d is %s", (alpha, label) => {
  expect(gradeAlpha(alpha).label).toBe(label);
});

test.each([
  ["one_rater", "Only one person or agent has answered"],
  [null, "Cannot be told"],
  ["something_new", "Cannot be told"],
])("%s: %s", (reason, words) => {
  expect(whyNone({ reason } as Agreement)).toBe(words);
});
