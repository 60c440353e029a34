import { expect, test } from "vitest";
import scores from "../../../../../cases/response_score.json";
import { cases, dimensions } from "../../../../../cases/response_values.json";
import type { Dimension } from "@/api/types";
import { computeResponseScore } from "./scoring";
import { checkValues, cleanValues } from "./values";

test.each(cases)("$case", ({ values, faults }) => {
  const found = checkValues(values, dimensions as unknown as Dimension[]);
  expect(found.map(({ path, code }) => [path, code])).toEqual(faults);
});

test.each(scores.cases)("score: $case", ({ use, values, weighted, normalized }) => {
  const all = scores.dimensions as unknown as Record<string, Dimension>;
  const score = computeResponseScore(
    values,
    use.flatMap((key) => all[key] ?? []),
  );
  if (weighted === null) return expect(score).toEqual({ weighted: null, normalized: null });
  expect(score.weighted).toBeCloseTo(weighted, 9);
  expect(score.normalized).toBeCloseTo(normalized, 9);
});

test("messages say what would do", () => {
  const messages = checkValues({ rating: 9, share: 0.35, verdict: "x" }, dimensions as unknown as Dimension[]);
  expect(messages.map(({ message }) => message)).toEqual([
    "This is a number from 1 to 5",
    "This goes in steps of 0.1 from 0",
    "Choose one of keep, drop",
  ]);
});

test("what is empty is not sent", () => {
  expect(cleanValues({ a: 0, b: "", c: "  ", d: null, e: "x", f: false })).toEqual({ a: 0, e: "x", f: false });
});
