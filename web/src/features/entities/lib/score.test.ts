import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Raters } from "@/api/types";
import { describeRaters, formatScore, responseScore, roundScore, scoreBadgeVariant } from "./score";

// The server reads the same files.
const { badges } = JSON.parse(readFileSync("../cases/entity_score.json", "utf8")) as {
  badges: { score: number; variant: string }[];
};
const { rounded, of_100 } = JSON.parse(readFileSync("../cases/score_format.json", "utf8")) as {
  rounded: { case: string; score: number | null; rounded: number | null; text: string }[];
  of_100: { normalized: number | null; score: number | null }[];
};

test.each(badges)("a score of $score is drawn as $variant", ({ score, variant }) => {
  expect(scoreBadgeVariant(score)).toBe(variant);
});

test.each(rounded)("$case: $score is written $text", ({ score, rounded: kept, text }) => {
  expect(formatScore(score)).toBe(text);
  expect(score === null ? null : roundScore(score)).toBe(kept);
});

test.each(of_100)("a normalized $normalized is $score of 100", ({ normalized, score }) => {
  expect(responseScore(normalized)).toBe(score);
});

const nimbus: Raters = { count: 4, more: false, median: 35, min: 20, max: 73, spread: 22.62, disagree: true };

test.each([
  [nimbus, "4 raters · median 35 · 20 to 73"],
  [{ ...nimbus, count: 1 }, "1 rater"],
  [{ ...nimbus, count: 1000, more: true }, "1000+ raters · median 35 · 20 to 73"],
])("who rated is said in a few words", (raters, words) => {
  expect(describeRaters(raters)).toBe(words);
});

test("that raters disagree is said in the sentence", () => {
  expect(describeRaters(nimbus, true)).toBe(
    "4 raters, each by their newest response: median 35, from 20 to 73. They disagree",
  );
});
