import { describe, expect, test } from "vitest";
import type { SessionEvent } from "@/api/types";
import { SESSION_BEGAN, event } from "@/testing/sessions";
import { buildSteps } from "./steps";
import { type Timeline, buildTimeline, makeScale, ticksOf, timeSpent } from "./timeline";

const T0 = Date.parse(SESSION_BEGAN);
const drawn = (events: SessionEvent[], now = 60_000, isRunning = false) => buildTimeline(buildSteps(events), T0 + now, isRunning);
const bars = (timeline: Timeline) => timeline.bars.map(({ depth, start, end, isOpen }) => [depth, start - T0, end - T0, isOpen]);
const call = (seq: number, id: string, at: number, more: object = {}) => event(seq, "tool.call", { id, name: "t", arguments: {}, ...more }, at);
const result = (seq: number, id: string, at: number, more: object = {}) => event(seq, "tool.result", { id, result: 1, ...more }, at);
const ask = (seq: number, at: number, more: object = {}) => event(seq, "model.request", { model: "m", ...more }, at);
const told = (seq: number, at: number, more: object = {}) => event(seq, "model.response", { model: "m", ...more }, at);

describe("bars", () => {
  test.each([
    ["nothing", [], false, []],
    ["messages take no time", [event(1, "user.message", { text: "x" })], false, []],
    ["from event to event", [ask(1, 0), told(2, 500), call(3, "a", 600), result(4, "a", 900)], false, [[0, 0, 500, false], [0, 600, 900, false]]],
    ["as long as was told", [call(1, "a", 0), result(2, "a", 900, { duration_ms: 250 })], false, [[0, 0, 250, false]]],
    ["an answer alone ends where it is told", [told(1, 900, { duration_ms: 400 })], false, [[0, 500, 900, false]]],
    ["a request alone is a moment", [ask(1, 300)], true, [[0, 300, 300, false]]],
    ["a tool under way goes on to now", [call(1, "a", 100)], true, [[0, 100, 60_000, true]]],
    ["a tool that never ended is a moment", [call(1, "a", 100)], false, [[0, 100, 100, false]]],
    [
      "a sub-agent stands below its call",
      [call(1, "a", 0), ask(2, 100, { parent_call_id: "a" }), told(3, 200, { parent_call_id: "a" }), result(4, "a", 300)],
      false,
      [[0, 0, 300, false], [1, 100, 200, false]],
    ],
    [
      "waiting for a person is no work",
      [call(1, "a", 0), event(2, "session.waiting", { call_id: "a" }, 50), result(3, "a", 90_000)],
      false,
      [[0, 0, 50, false]],
    ],
  ] as const)("%s", (_name, events, isRunning, wanted) => {
    expect(bars(drawn([...events], 60_000, isRunning))).toEqual(wanted);
  });

  test("time is spent once: a sub-agent's call counts by what it did", () => {
    const timeline = drawn([call(1, "a", 0), ask(2, 100, { parent_call_id: "a" }), told(3, 300, { parent_call_id: "a" }), result(4, "a", 900), call(5, "b", 900), result(6, "b", 1000)]);
    expect(timeSpent(timeline.bars)).toEqual({ model: 200, tool: 100 });
  });

  test("what nobody measured is not called no time", () => {
    const timeline = drawn([ask(1, 0), call(2, "a", 500), result(3, "a", 700)]);
    expect(timeSpent(timeline.bars)).toEqual({ model: null, tool: 200 });
    expect(timeSpent([])).toEqual({ model: 0, tool: 0 });
  });
});

describe("the scale", () => {
  const places = (timeline: Timeline, ...moments: number[]) => moments.map((moment) => Math.round(makeScale(timeline)(T0 + moment) * 1000) / 1000);

  test("is straight where work follows work", () => {
    const timeline = drawn([call(1, "a", 0), result(2, "a", 400), call(3, "b", 400), result(4, "b", 1000)]);
    expect(timeline.rests).toEqual([]);
    expect(places(timeline, 0, 250, 1000, -5, 2000)).toEqual([0, 0.25, 1, 0, 1]);
  });

  test("cuts a night short", () => {
    const timeline = drawn([call(1, "a", 0), result(2, "a", 1000), call(3, "b", 3_601_000), result(4, "b", 3_602_000)]);
    expect(timeline.rests).toEqual([{ start: T0 + 1000, end: T0 + 3_601_000 }]);
    expect(places(timeline, 0, 1000, 3_601_000, 3_602_000)).toEqual([0, 0.481, 0.519, 1]);
    expect(ticksOf(timeline)).toEqual([]);
  });

  test("leaves a short rest as it is", () => {
    const timeline = drawn([call(1, "a", 0), result(2, "a", 100), call(3, "b", 2000), result(4, "b", 2100)]);
    expect(timeline.rests).toEqual([]);
  });

  test("has a place for a single moment", () => {
    expect(places(drawn([ask(1, 300)]), 300)).toEqual([0]);
  });

  test.each([
    [1000, [0, 200, 400, 600, 800, 1000]],
    [20_000, [0, 5000, 10_000, 15_000, 20_000]],
    [0, [0]],
  ])("over %i ms it is marked at %j", (end, ticks) => {
    expect(ticksOf({ bars: [], rests: [], start: T0, end: T0 + end })).toEqual(ticks);
  });
});
