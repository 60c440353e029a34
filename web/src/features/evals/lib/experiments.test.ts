import * as v from "valibot";
import { expect, test } from "vitest";
import { ROW_ID, experiment, experimentForecast, experimentRow, uselessRow } from "@/testing/evals";
import { byEvidence, confirmationLine, draftOfExperiment, experimentDraft, experimentOf, fewestLine, figuresOf, findingsWords, measuresLine, nextStep, pWords, powerLines, smallestLine, takesLine, verdictLine } from "./experiments";
import { evalsSearch, experimentsQuery, runsQuery } from "./search";

const never = { ...uselessRow, rowId: "n", label: "unmeasured" as const, reason: "never_applied" as const, delta: null, low: null, high: null, n: 0, adjustedP: null, content: "Never there" };
const harmful = { ...experimentRow, rowId: "h", label: "harmful" as const, delta: -0.3, low: -0.4, high: -0.2, state: "active" as const };
const open = { ...experimentRow, rowId: "o", label: "flagged" as const, basis: "halves" as const, confirmed: false, guard: null };
const asked = { setName: "clerk", design: "halves", replays: 240, confirms: true, pairs: 40, mode: "hybrid", dryRun: false };

test("rows stand by what speaks most clearly: harm, then help, then the rest", () => {
  const waiting = { ...uselessRow, rowId: "w", label: null };
  const clearer = { ...uselessRow, rowId: "c", adjustedP: 0.2 };
  expect(byEvidence([waiting, never, uselessRow, open, clearer, experimentRow, harmful]).map(({ rowId }) => rowId)).toEqual([
    "h",
    experimentRow.rowId,
    "o",
    "c",
    uselessRow.rowId,
    "n",
    "w",
  ]);
  expect(byEvidence([])).toEqual([]);
});

test("only what was measured is drawn", () => {
  expect(figuresOf([experimentRow, never, { ...uselessRow, label: null }]).map(({ delta }) => delta)).toEqual([0.16]);
});

test.each([
  [{ measured: 1, harmful: 0, flagged: 0, noEffectFound: 3, unmeasured: 0 }, "1 row helps and no effect was found for 3."],
  [{ measured: 2, harmful: 1, flagged: 1, noEffectFound: 3, unmeasured: 1 }, "2 rows help, 1 harms, 1 is flagged and not confirmed, no effect was found for 3 and 1 could not be measured."],
  [{ measured: 0, harmful: 0, flagged: 0, noEffectFound: 4, unmeasured: 0 }, "No effect was found for 4."],
  [{ measured: 0, harmful: 0, flagged: 0, noEffectFound: 0, unmeasured: 0 }, "Nothing was measured."],
])("findings of %j are said in one line", (findings, words) => expect(verdictLine({ status: "completed", findings, rows: 4 })).toBe(words));

test("before anything is found, that is said", () => {
  expect(verdictLine({ status: "screening", findings: null, rows: 1 })).toBe("1 row of knowledge is being measured.");
  expect(verdictLine({ status: "cancelled", findings: null, rows: 3 })).toBe("It was stopped before anything could be said.");
  expect(findingsWords(null)).toBe("–");
  expect(findingsWords(experiment.findings)).toBe("1 helps, 1 no effect found");
});

test("a finding says what to do next, and a person does it", () => {
  expect(nextStep(experiment)).toBe("To approve what helps and is in no prompt is proposed on Knowledge.");
  expect(nextStep({ ...experiment, results: [harmful, open] })).toBe("To retire what harms is proposed on Knowledge. 1 finding is not confirmed by pairs: measure it one at a time.");
  expect(nextStep({ ...experiment, results: [uselessRow], findings: { measured: 0, harmful: 0, flagged: 0, noEffectFound: 1, unmeasured: 0 } })).toContain("nothing to decide");
  expect(nextStep({ ...experiment, results: [{ ...experimentRow, state: "active" }] })).toBeNull();
  expect(nextStep({ ...experiment, status: "confirming" })).toBeNull();
});

test.each([
  [null, "–"],
  [0.0004, "below 0.001"],
  [0.0312, "0.031"],
])("p of %s is %s", (p, words) => expect(pWords(p)).toBe(words));

test("what is sent names only what was chosen", () => {
  const draft = experimentDraft({ set: "clerk" });
  expect(experimentOf(draft)).toEqual(asked);
  expect(experimentOf({ ...draft, rows: [{ id: ROW_ID, content: "x" }], design: "pairs", replays: "", agent: { agent: "clerk", version: 2 }, maxCost: 1 })).toEqual({
    ...asked,
    design: "pairs",
    rowIds: [ROW_ID],
    agent: "clerk",
    version: 2,
    maxCost: 1,
  });
  expect(experimentOf({ ...draft, design: "pairs" })).toEqual(asked);
});

test("nothing is sent while something is missing", () => {
  const draft = experimentDraft({ set: "clerk" });
  for (const part of [{ set: "" }, { rows: [] }, { replays: "" as const }, { pairs: "" as const }]) expect(experimentOf({ ...draft, ...part })).toBeNull();
  expect(experimentOf({ ...draft, pairs: "", confirms: false })).toMatchObject({ confirms: false });
});

test("the same once more has the agent as it is now, and only rows that may still be tried", () => {
  expect(draftOfExperiment(experiment)).toMatchObject({ set: "clerk", rows: null, agent: { agent: "clerk", version: 0 }, design: "halves" });
  const pairs = { ...experiment, design: "pairs" as const, results: [experimentRow, { ...uselessRow, state: "retired" as const }, { ...uselessRow, state: null, content: null }] };
  expect(draftOfExperiment(pairs).rows).toEqual([{ id: ROW_ID, content: experimentRow.content }]);
});

test("a forecast says what it takes, and what it could find", () => {
  expect(takesLine(experimentForecast)).toBe("240 replays: 200 to run, 40 there already, about 72,000 tokens, $0.60");
  expect(takesLine({ ...experimentForecast, reused: 0, made: 240, cost: null })).toBe("240 replays, about 72,000 tokens, cost not known");
  expect(takesLine({ ...experimentForecast, reused: 240, made: 0, tokens: 0, cost: null })).toBe("240 replays, all of which are there: nothing is run");
  expect(confirmationLine(experimentForecast)).toBe("Each row that shows an effect takes up to 80 replays more, about 28,800 tokens, $0.24.");
  expect(confirmationLine({ ...experimentForecast, confirmationReplaysPerRow: 0 })).toBeNull();
  expect(fewestLine(experimentForecast)).toBeNull();
  expect(fewestLine({ ...experimentForecast, fewest: 24 })).toBe("Of these, 24 replays say something about the row that is known least; the chances are its.");
  expect(powerLines({ ...experimentForecast, power: [{ effect: 0.2, power: 0.9999, replaysNeeded: 20 }] })[0]?.words).toBe("over 99%");
  expect(measuresLine({ ...experimentForecast, rowsLeftOut: 3 })).toBe("2 rows on 4 goldens; 3 more apply and are left out");
  expect(powerLines(experimentForecast).map(({ words, needed }) => [words, needed])).toEqual([
    ["21%", 1040],
    ["84%", null],
  ]);
  expect(powerLines({ ...experimentForecast, power: [{ effect: 0.1, power: null, replaysNeeded: 9000 }] })).toEqual([{ effect: 10, power: null, words: "too few replays to tell", needed: null }]);
  expect(smallestLine(experimentForecast)).toBe("The smallest effect it finds four times in five is 19 points.");
  expect(smallestLine({ ...experimentForecast, smallestDetectable: 1.4 })).toBe("So few replays find no effect, however large.");
  expect(smallestLine({ ...experimentForecast, smallestDetectable: null })).toBeNull();
});

test("an address narrows experiments by set, status and row, and a status of theirs narrows no runs", () => {
  const search = v.parse(evalsSearch, { tab: "experiments", set: "clerk", status: "confirming", row: ROW_ID, new: 1 });
  expect(experimentsQuery(search)).toEqual({ set: "clerk", status: "confirming", rowId: ROW_ID });
  expect(runsQuery(search)).toEqual({ set: "clerk", kind: "run" });
  expect(experimentsQuery({ status: "running" })).toEqual({});
  expect(experimentsQuery({ status: "completed" })).toEqual({ status: "completed" });
});
