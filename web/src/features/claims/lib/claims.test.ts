import { expect, test } from "vitest";
import type { CriteriaSet } from "@/api/types";
import { settings, sourceType } from "@/testing/claims";
import { alongScale, carriedNumbers, commonScale, countSources, formatQuality, isBehind, readWords, reckon } from "./claims";

const rated = (...qualities: (number | null)[]) => qualities.map((quality) => ({ quality }));

test.each([
  [rated(), { count: 0, rated: 0, average: null }],
  [rated(null), { count: 1, rated: 0, average: null }],
  [rated(7), { count: 1, rated: 1, average: 7 }],
  [rated(8, null, 5), { count: 3, rated: 2, average: 6.5 }],
  [rated(0, 0), { count: 2, rated: 2, average: 0 }],
])("every source counts, and the rated ones weigh (%#)", (sources, counted) => {
  expect(countSources(sources)).toEqual(counted);
});

test.each([
  [{}, rated(), false],
  [{}, rated(null), true],
  [{ source_count: 0, source_quality_avg: null }, rated(), false],
  [{ source_count: 1, source_quality_avg: null }, rated(null), false],
  [{ source_count: 1, source_quality_avg: null }, rated(3), true],
  [{ source_count: 1, source_quality_avg: 3 }, rated(null), true],
  [{ source_count: 3, source_quality_avg: 1 / 3 }, rated(0, 0, 1), false],
  [{ source_count: 3, source_quality_avg: 0.3 }, rated(0, 0, 1), true],
  [{ source_count: 2, source_quality_avg: 7 }, rated(7), true],
])("a claim is behind when its numbers are not those of its sources (%#)", (content, sources, behind) => {
  expect(isBehind(carriedNumbers(content), countSources(sources))).toBe(behind);
});

test("what is no number in a claim counts as none", () => {
  expect(carriedNumbers({ source_count: "4", source_quality_avg: [7] })).toEqual({ count: null, average: null });
});

test.each([
  [rated(), null],
  [rated(null, null), null],
  [rated(7), null],
  [rated(8, null, 5), "(8 + 5) ÷ 2 = 6.5"],
  [rated(25 / 3, 8), "(8.33 + 8) ÷ 2 ≈ 8.17"],
  [rated(1, 1, 2), "(1 + 1 + 2) ÷ 3 ≈ 1.33"],
  [rated(...Array<number>(9).fill(1)), null],
])("the average can be reckoned by hand (%#)", (sources, sum) => {
  expect(reckon(sources)).toBe(sum);
});

const set = (...dimensions: Partial<CriteriaSet["dimensions"][number]>[]) => ({ dimensions }) as CriteriaSet;

test.each([
  [undefined, null],
  [null, null],
  [set(), null],
  [set({ type: "rating", scale: [1, 5] }, { type: "text" }), [1, 5]],
  [set({ type: "rating", scale: [1, 5] }, { type: "number", scale: [0, 100] }), null],
  [set({ type: "rating", scale: [1, 5] }, { type: "number" }), null],
])("a quality has a scale where all numbers share one (%#)", (of, scale) => {
  expect(commonScale(of)).toEqual(scale);
});

test("a length stays on its scale", () => {
  expect([0, 1, 5.5, 10, 11].map((quality) => alongScale(quality, [1, 10]))).toEqual([0, 0, 50, 100, 100]);
  expect(formatQuality(7.166666)).toBe("7.17");
});

test("a claim is what the configured field of the configured type leads to", () => {
  expect(readWords(settings, sourceType)).toMatchObject({ claimType: "claim", fieldLabel: "Supports" });
  expect(readWords({ ...settings, relation_field: "finding" }, sourceType)).toBeNull();
  expect(readWords({ ...settings, source_type: "paper" }, sourceType)).toBeNull();
});
