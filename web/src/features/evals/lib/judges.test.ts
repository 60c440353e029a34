import { expect, test } from "vitest";
import { correctedLine, kappaLine, partText, saidOf, shareLine, wantedLine } from "./judges";

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
  [{ labels: 0, passed: 0, failed: 0, draw: null }, null],
  [{ labels: 1, passed: 0, failed: 0, draw: 1 }, "1 more label wanted"],
  [{ labels: 50, passed: 15, failed: 15, draw: 60 }, "50 more labels wanted, among them 15 that meet the rubric and 15 that do not"],
  [{ labels: 0, passed: 0, failed: 3, draw: 9 }, "More labels wanted: 3 that do not"],
])("what a licence lacks: %o", (wanted, words) => {
  expect(wantedLine(wanted)).toBe(words);
});

test("a rate is corrected with its interval, or says why not", () => {
  const corrected = { rate: 0.1667, low: 0.0564, high: 0.2627, level: 0.95, method: "rogan_gladen", labels: 400 } as const;
  expect(correctedLine({ corrected, refused: null })).toBe("17% (6% to 26%)");
  expect(correctedLine({ corrected: null, refused: { code: "judge_too_weak", message: "it tells too little" } })).toBe("Not corrected: it tells too little");
});

test("what was said, and what a step shows", () => {
  expect([saidOf(true), saidOf(false), saidOf(null)]).toEqual(["passed", "failed", "cannot_tell"]);
  expect(partText({ kind: "agent", name: null, text: "Hello", value: null, cut: false })).toBe("Hello");
  expect(partText({ kind: "call", name: "refund", text: null, value: { order: 7 }, cut: false })).toBe('{\n  "order": 7\n}');
});
