import { expect, test } from "vitest";
import { measured, row } from "@/testing/knowledge";
import { evidenceWords, figureOf, isMeasurable, lostWords, pairsWords, proposalOf, staleLine, valueOf, valueScale, valueSentence, valueThen } from "./value";

const unmeasured = { ...measured, label: "unmeasured" as const, basis: null, delta: null, low: null, high: null, n: 0 };

test("a value is said with its interval and number, or that nobody has measured it", () => {
  expect(valueOf(row)).toBe("Approved, unmeasured");
  expect(valueOf({ value: null, state: "proposed" })).toBe("Unmeasured");
  expect(valueOf({ value: measured, state: "active" })).toBe("+4.1 (1.2 to 7.0), n\u00a048");
  expect(valueOf({ value: { ...measured, label: "harmful", delta: -0.12, low: -0.2, high: -0.04 }, state: "active" })).toBe("Harmful, −12.0 (−20.0 to −4.0), n\u00a048");
  expect(valueOf({ value: { ...measured, label: "no effect found", delta: -0.0001, low: -0.03, high: 0 }, state: "active" })).toBe("No effect found, 0.0 (−3.0 to 0.0), n\u00a048");
  expect(valueOf({ value: { ...measured, stale: true }, state: "active" })).toBe("+4.1 (1.2 to 7.0), n\u00a048 (old)");
});

test("what never applied says so, and is never 0", () => {
  const never = { ...unmeasured, reason: "never_applied" as const };
  expect(valueOf({ value: never, state: "active" })).toBe("Never applied");
  expect(valueSentence(never)).toBe("It applied to no replay, so there is no value: that is not a value of 0.");
  expect(figureOf(never)).toBeNull();
  expect(valueOf({ value: { ...unmeasured, reason: "too_few" }, state: "active" })).toBe("Unmeasured: too few replays");
  expect(valueOf({ value: unmeasured, state: "active" })).toBe("Unmeasured");
});

test("a sentence says what replays do with it, and how sure that is", () => {
  expect(valueSentence(measured)).toBe("Replays with it pass 4.1 points more often than without it. The 95% interval is 1.2 to 7.0, by 48 pairs of replays.");
  expect(valueSentence({ ...measured, label: "harmful", basis: "halves", delta: -0.1, low: -0.2, high: -0.01, n: 1 })).toBe(
    "Replays with it pass 10 points less often than without it. The 95% interval is −20.0 to −1.0, by 1 replay.",
  );
  expect(valueSentence({ ...measured, label: "no effect found", delta: 0 })).toContain("Replays with it passed as often as without it");
});

test.each([
  [["agent"], "Old: the agent has a newer version."],
  [["content", "goldens"], "Old: it says something else now, and the goldens are others, or are compared otherwise."],
  [[], "Old: what it was measured on has changed."],
] as const)("what is old because of %j says why", (because, words) => expect(staleLine(because)).toBe(words));

test.each([
  [21.14, 0.2, "Evidence that it helps: 21.1, and 20 is enough"],
  [0.1, 20, "Evidence that it harms: 20, and 20 is enough"],
  [3.25, 0.4, "Evidence that it helps: 3.3 so far; 20 is enough"],
  [0.4, 7, "Evidence that it harms: 7 so far; 20 is enough"],
  [1, 1, "No evidence yet, either way; 20 is enough"],
  [1e9, 0, "Evidence that it helps: over 10,000, and 20 is enough"],
])("e-values of %f and %f are told", (e_helps, e_harms, words) => expect(evidenceWords({ e_helps, e_harms })).toBe(words));

test("pairs are counted, also those that came to the same", () => {
  expect(pairsWords({ goldens: 1, pairs: 20, wins: 9, losses: 1, lost_with: 0, lost_without: 0, e_helps: 1, e_harms: 1 })).toBe("20 pairs on 1 golden: 9 better with it, 1 worse, 10 the same");
});

test("what helps is proposed to be approved, what harms to be retired or rejected", () => {
  expect(proposalOf({ flags: ["recurs"], state: "active" })).toBeNull();
  expect(proposalOf({ flags: ["helps"], state: "shadow" })?.step).toBe("approve");
  expect(proposalOf({ flags: ["harms"], state: "active" })?.step).toBe("retire");
  expect(proposalOf({ flags: ["harms"], state: "proposed" })?.step).toBe("dismiss");
  for (const flag of ["helps", "harms"] as const) {
    expect(proposalOf({ flags: [flag], state: "shadow", value: { stale: false } })?.words).not.toContain("changed since");
    expect(proposalOf({ flags: [flag], state: "shadow", value: { stale: true } })?.words).toContain("What it was measured on has changed since");
  }
});

test("what was put away is not measured", () => {
  expect((["proposed", "shadow", "active", "retired", "rejected"] as const).filter((state) => isMeasurable({ state }))).toEqual(["proposed", "shadow", "active"]);
});

test("a small effect is drawn beside ten points", () => {
  const scale = valueScale([{ low: 0.001, high: 0.002 }]);
  expect([scale.from <= -0.1, scale.to >= 0.1]).toEqual([true, true]);
  expect(valueScale([{ low: -1, high: 1 }])).toMatchObject({ from: -1, to: 1 });
});

test("a step of a history says the figure that it was taken on", () => {
  expect(valueThen({ value: "unmeasured" })).toBe("unmeasured");
  expect(valueThen({ value: { ...measured, stale: true } })).toBe("+4.1 (1.2 to 7.0), n\u00a048");
  expect([valueThen({}), valueThen({ value: null }), valueThen({ value: 3 })]).toEqual([null, null, null]);
});

test("a row that is flagged says that nothing confirms it yet, and what is lost is said", () => {
  const flagged = { ...measured, label: "flagged" as const, basis: "halves" as const, confirmed: false };
  expect(valueOf({ value: flagged, state: "shadow" })).toContain("Flagged, unconfirmed");
  expect(valueSentence(flagged)).toContain("have not confirmed that");
  expect(lostWords(3, 1)).toBe("3 replays with it and 1 without it decided nothing");
  expect(lostWords(0, 0)).toBeNull();
});
