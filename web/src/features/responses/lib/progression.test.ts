import { expect, test } from "vitest";
import type { ScoredResponse } from "@/api/types";
import { ada, reader } from "@/testing/records";
import { MOST_DRAWN, describeProgression, medianOf, toProgression } from "./progression";

function point(day: number, score: number, who = ada, temporal_value: string | null = null): ScoredResponse {
  const created_at = `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`;
  return { response_id: `r${day}`, submitted_by: who, temporal_value, score, created_at };
}

/** As the server lists them. */
const newestFirst = (...points: ScoredResponse[]) => [...points].reverse();

test.each([
  [[], 0],
  [[73], 73],
  [[20, 73], 46.5],
  [[73, 35, 20, 35], 35],
  [[33.33, 66.67, 100], 66.67],
])("the median of %j is %s", (scores, median) => {
  expect(medianOf(scores)).toBe(median);
});

test("a point belongs to its rater, and the median is that of what each last said", () => {
  const { series, rows, isTemporal } = toProgression(newestFirst(point(1, 20), point(2, 60, reader), point(3, 40)));
  expect(isTemporal).toBe(false);
  expect(series.map(({ name, hasLine }) => [name, hasLine])).toEqual([["Ada", true], ["Filing reader", true]]);
  const [first, second] = series.map(({ key }) => key);
  expect(rows.map(({ scores, median, who }) => [scores, median, who])).toEqual([
    [{ [first ?? ""]: 20 }, 20, "Ada"],
    [{ [second ?? ""]: 60 }, 40, "Filing reader"],
    [{ [first ?? ""]: 40 }, 50, "Ada"],
  ]);
});

test("a person and an agent of one id are two, and so are two of one name", () => {
  const namesake = { ...reader, id: ada.id, name: "Ada" };
  const { series } = toProgression(newestFirst(point(1, 20), point(2, 60, namesake)));
  expect(series.map(({ name }) => name).sort()).toEqual(["Ada", "Ada (2)"]);
});

test("beyond the first few raters the others share a series without a line", () => {
  const crowd = Array.from({ length: MOST_DRAWN + 3 }, (_, n) => point(n + 1, n, { ...ada, id: `u${n}`, name: `P${n}` }));
  const { series } = toProgression(newestFirst(...crowd));
  expect(series).toHaveLength(MOST_DRAWN + 1);
  expect(series.at(-1)).toEqual({ key: "others", name: "3 others", hasLine: false });
});

test("a temporal set is ordered by its temporal value, each rater by their newest response about it", () => {
  const { rows, isTemporal } = toProgression(
    newestFirst(point(1, 10, ada, "Week 10"), point(2, 20, ada, "Week 9"), point(3, 50, reader, "Week 9"), point(4, 30, ada, "Week 9")),
  );
  expect(isTemporal).toBe(true);
  expect(rows.map(({ x, scores, median }) => [x, Object.values(scores), median])).toEqual([
    ["Week 9", [30, 50], 40],
    ["Week 10", [10], 10],
  ]);
});

test.each([
  [[], ""],
  [[point(1, 73.75)], "73.75 of 100, by 1 rater"],
  [[point(1, 40), point(2, 80)], "from 40 to 80, by 1 rater"],
  [[point(1, 40), point(2, 40)], "steady at 40, by 1 rater"],
  [[point(1, 20), point(2, 73, reader)], "2 raters, median 46.5, from 20 to 73"],
])("the caption says who and how far apart", (points, words) => {
  expect(describeProgression(toProgression(newestFirst(...points)))).toBe(words);
});
