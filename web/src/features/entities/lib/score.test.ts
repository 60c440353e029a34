import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatScore, responseScore, scoreBadgeVariant } from "./score";

// The server reads the same file.
const { badges } = JSON.parse(readFileSync("../cases/entity_score.json", "utf8")) as {
  badges: { score: number; variant: string }[];
};

test.each(badges)("a score of $score is drawn as $variant", ({ score, variant }) => {
  expect(scoreBadgeVariant(score)).toBe(variant);
});

test.each([
  [null, "–"],
  [0, "0"],
  [69.999, "69"],
  [70, "70"],
  [100, "100"],
])("formatScore(%s) is %s", (score, text) => {
  expect(formatScore(score)).toBe(text);
});

test.each([
  [null, null],
  [0, 0],
  [0.58, 58],
  [0.7, 70],
  [1, 100],
])("a normalized %s is %s of 100", (normalized, score) => {
  expect(responseScore(normalized)).toBe(score);
});
