import * as v from "valibot";
import { expect, test } from "vitest";
import type { SessionEvent } from "@/api/types";
import { golden, matrix, replay, replayDetail, report, run, trendPoint } from "@/testing/evals";
import { placeOn } from "@/ui/chart/scale";
import { sessionIdOf } from "./alternatives";
import { alignSteps, canonical, diffSteps } from "./align";
import { divergencesOfRows, groupDivergences, nextMarked, readComparison } from "./comparison";
import { changesOf, draftOf, newGoldenOf } from "./draft";
import { floorDots, floorRate } from "./floor";
import { largestFall, passShare, sortMatrix } from "./matrix";
import { draftOfRun, replayOf, runDraft, setRunOf } from "./newRun";
import { baselineLine, differenceLine, dollars, estimateLine, percent, points, powerLine, repeatsToBuy, seconds, changeOfUse } from "./numbers";
import { plotRows, plotScale } from "./plot";
import { countMoves, fall, goldenLines, spreadLine } from "./runs";
import { evalRunSearch, evalsSearch, isNarrowed, runsQuery } from "./search";
import { goldenSetOf, isReplay } from "./sessions";
import { isConfirmed, stretches, trendMarks } from "./trend";

test.each([
  [-0.3333, "−33.3"],
  [0.05, "+5"],
  [0, "0"],
  [-0.0001, "0"],
])("a difference of %f is %s points", (difference, words) => expect(points(difference)).toBe(words));

test("a verdict says its difference with its interval, and what could be seen at all", () => {
  expect(differenceLine(report)).toBe("−33.3 points, 90% interval −51.1 to −7.8");
  expect(differenceLine({ ...report, low: null })).toBeNull();
  expect(powerLine(report)).toBe("The smallest change this run could see is 14 points. It takes 6 repeats of each golden to find a change of 10 points.");
  expect(powerLine({ smallestDetectable: 0.08, repeatsToBuy: 3 })).toContain("That is enough");
  expect(powerLine({ smallestDetectable: 0.3, repeatsToBuy: null })).toContain("more replays of the baseline");
  expect(powerLine({ smallestDetectable: null, repeatsToBuy: null })).toBeNull();
});

test.each([
  [{ smallestDetectable: 0.14, repeatsToBuy: 6 }, 6],
  [{ smallestDetectable: 0.1, repeatsToBuy: 6 }, null],
  [{ smallestDetectable: 0.14, repeatsToBuy: 101 }, null],
  [{ smallestDetectable: 0.14, repeatsToBuy: null }, null],
  [{ smallestDetectable: null, repeatsToBuy: null }, null],
])("of %o it is worth to buy %s repeats", (power, repeats) => expect(repeatsToBuy(power)).toBe(repeats));

test("what a run makes for a baseline that has too few replays is named before it", () => {
  const baseline = { id: "a", slug: "clerk", version: 1 };
  expect(baselineLine({ baseline: null, baselineReplays: 0 })).toMatchObject({ isShort: false });
  expect(baselineLine({ baseline, baselineReplays: 0 })).toEqual({ words: "Against the replays of clerk, version 1.", isShort: false });
  expect(baselineLine({ baseline, baselineReplays: 9 })).toMatchObject({ isShort: true, words: expect.stringContaining("9 replays of these are made for it") });
});

test("a noise floor has a dot for each replay, and a set the mean of those that count", () => {
  expect(floorDots({ floor: "flaky", floorPasses: 2, floorRuns: 3 })).toEqual(["passed", "passed", "failed"]);
  expect(floorDots({ floor: null, floorPasses: null, floorRuns: null })).toEqual([]);
  const broken = { floor: "broken" as const, floorPasses: 0, floorRuns: 5 };
  expect(floorRate([golden, { ...golden, floor: "flaky", floorPasses: 4 }, broken])).toBeCloseTo(0.9);
  expect(floorRate([broken])).toBeNull();
  expect(floorRate([])).toBeNull();
});

test("the spread of repeats is said, not their mean alone", () => {
  const of = (...accuracies: (number | null)[]) => spreadLine(accuracies.map((accuracy) => ({ accuracy })));
  expect(of(1, 0.2, 1)).toBe("Accuracy 20% to 100% over 3 repeats, 73% on average.");
  expect(of(1, 1)).toBe("Accuracy 100% in each of 2 repeats.");
  expect([of(), of(1), of(1, null)]).toEqual([null, null, null]);
});

test.each([
  [`/sessions/${golden.sessionId}?event=3`, golden.sessionId],
  [` ${golden.sessionId.toUpperCase()} `, golden.sessionId],
  [`${golden.sessionId} 0190a000-0000-7000-8000-000000000002`, null],
  ["yesterday's", null],
  ["", null],
])("%s names the session %s", (pasted, id) => expect(sessionIdOf(pasted)).toBe(id));

test("only a regression that fresh repeats confirm is marked", () => {
  expect([true, false, null].map((confirmed) => isConfirmed({ verdict: "regression", confirmed }))).toEqual([true, false, false]);
  expect(isConfirmed({ verdict: "improvement", confirmed: true })).toBe(false);
});

test("a run once more has the same agents, baseline and ways", () => {
  const again = draftOfRun(run);
  expect(setRunOf(run.setName, again)).toEqual({
    setName: "clerk",
    dryRun: false,
    agents: [{ agent: "clerk", version: 2 }],
    baseline: { agent: "clerk", version: 1 },
    repeats: 2,
    mode: "hybrid",
    context: "snapshot",
    margin: 0.05,
  });
  expect(draftOfRun({ ...run, baseline: null })).toMatchObject({ baselineKind: "none" });
});

test("what is not known is not nothing", () => {
  expect([percent(null), percent(0), dollars(null), dollars(0), dollars(0.004), dollars(1.5), seconds(null), seconds(75)]).toEqual([
    "–",
    "0%",
    "cost not known",
    "$0",
    "less than $0.01",
    "$1.50",
    "–",
    "1 min 15 s",
  ]);
  expect(estimateLine({ replays: 12, baselineReplays: 0, tokens: 4320, cost: 0.3 })).toBe("12 replays, about 4,320 tokens, $0.30");
});

test.each([
  [360, 240, "+50% to the baseline"],
  [90, 120, "−25% to the baseline"],
  [100, 100.1, "as the baseline"],
  [100, 0, null],
  [null, 5, null],
  [5, undefined, null],
])("a replay of %s beside one of %s uses %s", (own, baseline, words) => expect(changeOfUse(own, baseline)).toBe(words));

test("the plot has zero, the margin and every interval in sight", () => {
  const scale = plotScale(plotRows([report, { ...report, difference: null }]), 0.05);
  expect(plotRows([report, { ...report, difference: null }])).toHaveLength(1);
  expect(scale.from).toBeLessThanOrEqual(-0.511);
  expect(scale.to).toBeGreaterThanOrEqual(0.05);
  expect(scale.ticks).toContain(0);
  expect(placeOn(scale, scale.from)).toBe(0);
  expect(placeOn(scale, scale.to)).toBe(1);
  expect(plotScale([], 0).ticks).toContain(0);
});

test("goldens stand worst first, with their replays by repeat", () => {
  const fine = { ...report.goldens[0]!, goldenId: "fine", change: "unchanged" as const, outcomes: ["passed" as const] };
  const lines = goldenLines({ ...report, goldens: [fine, report.goldens[0]!] }, [{ ...replay, id: "second", repeat: 1 }, replay], replay.agent);
  expect(lines.map(({ goldenId }) => goldenId)).toEqual([golden.sessionId, "fine"]);
  expect(lines[0]?.replays.map(({ repeat }) => repeat)).toEqual([0, 1]);
  expect(goldenLines(null, [replay], replay.agent)).toEqual([{ goldenId: golden.sessionId, report: null, replays: [replay] }]);
  expect(goldenLines(null, [replay], { ...replay.agent, version: 1 })).toEqual([]);
});

test("counts are those that there are, and a fall is against the baseline", () => {
  expect(countMoves({ changes: { unchanged: 3, hard_break: 1, flipped: 0 } })).toEqual([
    { change: "hard_break", count: 1 },
    { change: "unchanged", count: 3 },
  ]);
  expect(fall({ outcomes: ["passed", "failed", "error"], baseline: { passes: 5, runs: 5 } })).toBe(0.5);
  expect(fall({ outcomes: ["error"], baseline: { passes: 5, runs: 5 } })).toBe(0);
  expect(fall({ outcomes: ["failed"], baseline: null })).toBe(0);
});

const event = (seq: number, type: string, payload: Record<string, unknown>) => ({ seq, type, payload, at: "2026-01-05T10:00:00Z", whole: true }) as unknown as SessionEvent;
const asked = event(1, "user.message", { text: "Set it" });
const read = [event(2, "tool.call", { id: "a", name: "getEntity", arguments: { id: 1 } }), event(3, "tool.result", { id: "a", result: { ok: 1 }, answered_by: "tape" })];
const wrote = [event(4, "tool.call", { id: "b", name: "submitResponse", arguments: { b: 2, a: 1 } }), event(5, "tool.result", { id: "b", error: "no", answered_by: "dry" })];
const answered = (seq: number, text: string) => event(seq, "agent.message", { text });

test("steps are what was said and called, with where each answer came from", () => {
  const steps = diffSteps([asked, ...read, ...wrote, answered(6, "Done")]);
  expect(steps.map(({ kind, name, source, failed }) => [kind, name, source, failed])).toEqual([
    ["user", "User", null, false],
    ["tool", "getEntity", "tape", false],
    ["tool", "submitResponse", "dry", true],
    ["agent", "Agent", null, false],
  ]);
  expect(steps[2]?.text).toBe(canonical({ a: 1, b: 2 }));
  const missed = diffSteps([event(1, "tool.call", { id: "a", name: "find" }), event(2, "tool.result", { id: "a", answered_by: "miss", nearest: { name: "find", arguments: { q: "x" } } })]);
  expect(missed[0]).toMatchObject({ source: "miss", nearest: { name: "find", arguments: { q: "x" } } });
  expect(diffSteps([event(1, "tool.result", { id: "z", answered_by: "nobody" })])[0]?.source).toBeNull();
});

test("a step that the replay leaves out has nothing beside it, and the rest stays in line", () => {
  const rows = alignSteps(diffSteps([asked, ...read, ...wrote, answered(6, "Done")]), diffSteps([asked, ...read, answered(4, "Did it")]));
  expect(rows.map(({ golden: left, replay: right, isSame }) => [left?.name ?? null, right?.name ?? null, isSame])).toEqual([
    ["User", "User", true],
    ["getEntity", "getEntity", true],
    ["submitResponse", null, false],
    ["Agent", "Agent", false],
  ]);
  const comparison = readComparison(replayDetail.comparison);
  const found = divergencesOfRows(rows, comparison?.divergences ?? []);
  expect(found.map((each) => each.length)).toEqual([0, 0, 1, 0]); // event 3 from 0 is the call with seq 4
});

test("nothing beside nothing is nothing, and one side alone stands alone", () => {
  expect(alignSteps([], [])).toEqual([]);
  expect(alignSteps(diffSteps([asked]), [])).toMatchObject([{ replay: null }]);
  expect(alignSteps([], diffSteps([asked]))).toMatchObject([{ golden: null }]);
});

test("equal calls are paired before those that are only alike", () => {
  const call = (seq: number, id: number) => event(seq, "tool.call", { id: `c${seq}`, name: "getEntity", arguments: { id } });
  const rows = alignSteps(diffSteps([call(1, 7)]), diffSteps([call(1, 3), call(2, 7)]));
  expect(rows.map(({ golden: left, isSame }) => [left !== null, isSame])).toEqual([
    [false, false],
    [true, true],
  ]);
});

test("effects come before facts, tools and text, and what is not known is not lost", () => {
  const divergences = ["text", "extra_tool", "missing_fact", "wrong_write_argument", "of_tomorrow"].map((kind) => ({ kind, message: kind }));
  const read_ = readComparison({ divergences });
  expect(groupDivergences(read_?.divergences ?? []).map(({ heading }) => heading)).toEqual(["Effects", "Facts", "Tools", "Text", "Others"]);
  expect(groupDivergences([])).toEqual([]);
  expect(readComparison(null)).toBeNull();
  expect(readComparison("x")).toBeNull();
});

test("the next divergence comes round to the first", () => {
  const marked = [false, true, false, true];
  expect([nextMarked(marked, null), nextMarked(marked, 1), nextMarked(marked, 3), nextMarked(marked, 1, -1), nextMarked(marked, null, -1)]).toEqual([1, 3, 1, 3, 3]);
  expect(nextMarked([false], 0)).toBeNull();
  expect(nextMarked([], null)).toBeNull();
});

test("only what is otherwise is sent of a golden", () => {
  const draft = draftOf(golden);
  expect(changesOf(golden, draft)).toEqual({});
  expect(changesOf(golden, { ...draft, effects: "contains", minPass: 60, facts: [] })).toEqual({ effects: "contains", minPass: 0.6, facts: [] });
  expect(newGoldenOf("s", { ...draftOf(null, "mine"), note: " why " })).toEqual({
    sessionId: "s",
    set: "mine",
    note: "why",
    criteriaSetId: null,
    effects: "exact",
    facts: [],
    minPass: null,
    floor: true,
  });
});

test("a run is sent once all of it is chosen", () => {
  const draft = runDraft(3);
  expect(setRunOf("clerk", draft)).toEqual({ setName: "clerk", dryRun: false, agents: [], repeats: 3, mode: "hybrid", context: "snapshot", margin: 0.05 });
  const named = { ...draft, agents: [{ agent: "clerk", version: 2 }], baselineKind: "named" as const, baseline: { agent: "clerk", version: 0 }, maxCost: 2 };
  expect(setRunOf("clerk", named)).toMatchObject({ agents: [{ agent: "clerk", version: 2 }], baseline: { agent: "clerk" }, maxCost: 2 });
  expect(replayOf("g", named)).toMatchObject({ goldenSessionId: "g", agent: "clerk", version: 2 });
  expect(replayOf("g", { ...draft, baselineKind: "none" })).toMatchObject({ baseline: "none" });
  expect(setRunOf("clerk", { ...draft, repeats: "" })).toBeNull();
  expect(setRunOf("clerk", { ...draft, baselineKind: "named" })).toBeNull();
  expect(setRunOf("clerk", { ...named, agents: [...named.agents, { agent: "", version: 0 }] })).toBeNull();
});

test("the matrix sorts by the largest fall; what nobody tried has none", () => {
  const row = matrix.goldens[0]!;
  expect(passShare([])).toBeNull();
  expect(passShare(["error", "inconclusive"])).toBeNull();
  expect(passShare(["passed", "failed", "error"])).toBe(0.5);
  expect(largestFall(row)).toBe(1);
  const untried = { ...row, goldenId: "untried", cells: [{ outcomes: [], replayIds: [] }] };
  expect(largestFall(untried)).toBe(0);
  expect(sortMatrix([untried, row], "fall").map(({ goldenId }) => goldenId)).toEqual([row.goldenId, "untried"]);
  expect(sortMatrix([untried, row], "listed")[0]?.goldenId).toBe("untried");
});

test("a trend says where the agent or the set changed, and a gap breaks its line", () => {
  const older = { ...trendPoint, runId: "older", agent: { ...trendPoint.agent, version: 1 }, setVersion: 2, passRate: 1 };
  const empty = { ...trendPoint, runId: "empty", passRate: null };
  const marks = trendMarks([trendPoint, empty, older]);
  expect(marks.map(({ x, rate, changed }) => [x, rate, changed])).toEqual([
    [0, 100, []],
    [50, null, ["agent version 2", "set version 3"]],
    [100, 0, []],
  ]);
  expect(stretches(marks).map((stretch) => stretch.length)).toEqual([1, 1]);
  expect(trendMarks([trendPoint])[0]?.x).toBe(50);
  expect(stretches([])).toEqual([]);
});

test("addresses say only what can be used", () => {
  expect(v.parse(evalsSearch, { tab: "runs", verdict: "regression", set: 2026, status: "gone" })).toEqual({ tab: "runs", verdict: "regression", set: "2026" });
  expect(v.parse(evalRunSearch, { change: "hard_break", agent: "x" })).toEqual({ change: "hard_break" });
  expect(runsQuery({ tab: "runs", set: "clerk", verdict: "no worse" })).toEqual({ set: "clerk", verdict: "no worse", kind: "run" });
  expect(runsQuery({ tab: "runs", kind: "floor" })).toEqual({ kind: "floor" });
  expect(runsQuery({ tab: "runs", kind: "all" })).toEqual({});
  expect([{}, { kind: "all" as const }, { kind: "floor" as const }, { set: "clerk" }].map(isNarrowed)).toEqual([false, false, true, true]);
});

test("metadata of a session is anybody's", () => {
  expect(goldenSetOf({ metadata: { golden: { set: "clerk" } } })).toBe("clerk");
  expect(goldenSetOf({ metadata: { golden: true } })).toBeNull();
  expect(isReplay({ metadata: { eval_source: "x" } })).toBe(true);
  expect(isReplay({ metadata: {} })).toBe(false);
});
