import { expect, test } from "vitest";
import { boundTo, correctedLine, goldensLine, kappaLine, maySay, partText, saidOf, shareLine, wantedLine } from "./judges";

test.each([
  [{ kappa: null, low: null, labelled: 0 }, "not labelled"],
  [{ kappa: null, low: null, labelled: 7 }, "n = 7, no kappa"],
  [{ kappa: 0.7798, low: 0.628, labelled: 1114 }, "kappa 0.78, at least 0.63, n = 1,114"],
])("%o is read as %s", (state, words) => {
  expect(kappaLine(state)).toBe(words);
});

test("a share has its interval and its numbers, and nothing where there are none", () => {
  expect(shareLine({ hits: 18, of: 20, rate: 0.9, low: 0.699, high: 0.972 })).toBe("90% (70% to 97%), 18 of 20");
  expect(shareLine({ hits: 0, of: 0, rate: null, low: 0, high: 1 })).toBe("no labels");
});

test.each([
  [{ labels: 0, passed: 0, failed: 0, goldens: 0 }, null],
  [{ labels: 1, passed: 0, failed: 0, goldens: 0 }, "1 more label wanted"],
  [{ labels: 50, passed: 15, failed: 15, goldens: 0 }, "50 more labels wanted, among them 15 that meet the rubric and 15 that do not"],
  [{ labels: 0, passed: 0, failed: 3, goldens: 0 }, "More labels wanted: 3 that do not"],
  [{ labels: 0, passed: 0, failed: 0, goldens: 1 }, "More labels wanted: some of 1 more golden"],
  [{ labels: 9, passed: 1, failed: 2, goldens: 4 }, "9 more labels wanted, among them 1 that meet the rubric, 2 that do not and some of 4 more goldens"],
])("what a licence lacks: %o", (wanted, words) => {
  expect(wantedLine(wanted)).toBe(words);
});

test("a rate is corrected with its interval, or says why not", () => {
  const corrected = { rate: 0.1667, low: 0.0564, high: 0.2627, level: 0.95, method: "rogan_gladen", labels: 400 } as const;
  expect(correctedLine({ corrected, refused: null })).toBe("17% (6% to 26%)");
  expect(correctedLine({ corrected: null, refused: { code: "judge_too_weak", message: "it tells too little" } })).toBe("Not corrected: it tells too little");
});

const RATINGS = [
  { key: "clear", label: "Clear", description: "", scale: [1, 5] as [number, number], weight: 1 },
  { key: "kind", label: "Kind", description: "", scale: [0, 1] as [number, number], weight: 1 },
];

test.each([
  [{}, ["passed", "failed", "cannot_tell"]],
  [{ clear: 4 }, ["passed", "failed", "cannot_tell"]],
  [{ clear: 3 }, ["failed", "cannot_tell"]],
  [{ clear: 4, kind: 1 }, ["passed", "cannot_tell"]],
  [{ clear: 5, kind: 0 }, ["failed", "cannot_tell"]],
])("ratings %o leave %o to be said", (values, left) => {
  expect((["passed", "failed", "cannot_tell"] as const).filter((choice) => maySay(choice, values, RATINGS))).toEqual(left);
});

test("labels say of how many goldens they are", () => {
  expect(goldensLine({ goldens: 12, largest: 0.2 })).toBe("12, at most 20% of the labels of one");
  expect(goldensLine({ goldens: 0, largest: null })).toBe("no labels");
});

test("what was said, and what a step shows", () => {
  expect([saidOf(true), saidOf(false), saidOf(null)]).toEqual(["passed", "failed", "cannot_tell"]);
  expect(partText({ kind: "agent", name: null, text: "Hello", value: null, cut: false })).toBe("Hello");
  expect(partText({ kind: "call", name: "refund", text: null, value: { order: 7 }, cut: false })).toBe('{\n  "order": 7\n}');
});

test("a judge says what a licence of it is bound to", () => {
  const rubric = { criteriaSetId: null, slug: "answers", name: "Answers", hash: "48af613c34e9dcf1" };
  expect(boundTo({ rubric, model: "a-judge", prompt: "1.176b42c5" })).toBe("Rubric 48af613c, model a-judge, prompt 1.176b42c5");
  expect(boundTo({ rubric, model: null, prompt: "1.176b42c5" })).toBe("Rubric 48af613c, a model that is not known, prompt 1.176b42c5");
});
