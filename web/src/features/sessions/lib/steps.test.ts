import { expect, test } from "vitest";
import { event, sessionEvents } from "@/testing/sessions";
import { type Step, buildSteps, countSteps, findStep, flattenSteps, hasFailed, tookMs, usageOf } from "./steps";

/** A tree in words: `kind seq`, with what is below in brackets. */
function say(steps: readonly Step[]): string {
  return steps
    .map((step) => {
      const inner = step.kind === "tool" && step.steps.length > 0 ? `(${say(step.steps)})` : "";
      return `${step.kind} ${step.events.map(({ seq }) => seq).join("+")}${inner}`;
    })
    .join(", ");
}

const call = (seq: number, id: string, more: object = {}) => event(seq, "tool.call", { id, name: "t", arguments: {}, ...more });
const result = (seq: number, id: string, more: object = {}) => event(seq, "tool.result", { id, result: 1, ...more });

test.each([
  ["nothing", [], ""],
  ["a plain session", sessionEvents, "life 1, message 2, model 3+4, tool 5+6"],
  ["a call without a result", [call(1, "a")], "tool 1"],
  ["a result without its call", [result(7, "a")], "tool 7"],
  ["calls side by side", [call(1, "a"), call(2, "b"), result(3, "b"), result(4, "a")], "tool 1+4, tool 2+3"],
  ["an id that is used again", [call(1, "a"), result(2, "a"), call(3, "a"), result(4, "a")], "tool 1+2, tool 3+4"],
  ["a result that comes twice", [call(1, "a"), result(2, "a"), result(3, "a")], "tool 1+2, tool 3"],
  ["a call without an id", [event(1, "tool.call", { name: "t" }), event(2, "tool.result", { result: 1 })], "tool 1, tool 2"],
  [
    "a sub-agent below its call",
    [call(1, "a"), call(2, "b", { parent_call_id: "a" }), result(3, "b", { parent_call_id: "a" }), result(4, "a")],
    "tool 1+4(tool 2+3)",
  ],
  [
    "two sub-agents at once",
    [
      call(1, "a"),
      call(2, "b"),
      event(3, "agent.message", { text: "of b", parent_call_id: "b" }),
      event(4, "agent.message", { text: "of a", parent_call_id: "a" }),
      result(5, "a"),
      result(6, "b"),
    ],
    "tool 1+5(message 4), tool 2+6(message 3)",
  ],
  [
    "requests of two agents at once",
    [
      call(1, "a"),
      event(2, "model.request", { model: "m" }),
      event(3, "model.request", { model: "m", parent_call_id: "a" }),
      event(4, "model.response", { model: "m" }),
      event(5, "model.response", { model: "m", parent_call_id: "a" }),
    ],
    "tool 1(model 3+5), model 2+4",
  ],
  ["a sub-agent whose call is not at hand", [event(9, "agent.message", { text: "x", parent_call_id: "gone" })], "message 9"],
  ["a call that names itself", [call(1, "a", { parent_call_id: "a" })], "tool 1"],
  ["an effect with its call", [call(1, "a"), event(2, "response.submitted", { call_id: "a" }), result(3, "a")], "tool 1+2+3"],
  ["an effect of an unknown kind with its call", [call(1, "a"), event(2, "case.opened", { call_id: "a" })], "tool 1+2"],
  ["an effect alone", [event(1, "entity.updated", { entity_id: "e" })], "effect 1"],
  ["an event of its own kind", [event(1, "memory.saved")], "other 1"],
  [
    "a question and its answer",
    [call(1, "a"), event(2, "session.waiting", { call_id: "a", question: "?" }), event(3, "session.answered", { call_id: "a", text: "!" }), result(4, "a")],
    "tool 1+4, life 2, message 3",
  ],
])("%s", (_name, events, said) => {
  expect(say(buildSteps(events))).toBe(said);
});

const nested = buildSteps([
  call(1, "a"),
  call(2, "b", { parent_call_id: "a" }),
  event(3, "agent.message", { text: "deep", parent_call_id: "b" }),
  result(4, "b", { parent_call_id: "a" }),
  result(5, "a"),
  event(6, "agent.message", { text: "told to be deep", depth: 2 }),
]);

test.each([
  ["all", [], ["1:0", "2:1", "3:2", "6:2"]],
  ["without what is in a call", [2], ["1:0", "2:1", "6:2"]],
  ["without a whole sub-agent", [1], ["1:0", "6:2"]],
])("a list has %s, indented", (_name, folded, rows) => {
  expect(flattenSteps(nested, new Set(folded)).map(({ step, depth }) => `${step.seq}:${depth}`)).toEqual(rows);
});

test("indentation ends where no room would be left for words", () => {
  const deep = flattenSteps(buildSteps([event(1, "agent.message", { text: "x", depth: 900 })]), new Set());
  expect(deep[0]?.depth).toBe(6);
});

test("steps of sub-agents are counted with theirs", () => {
  expect(countSteps(nested)).toBe(4);
  expect(countSteps([])).toBe(0);
});

test.each([
  [1, 1, []],
  [3, 3, [1, 2]],
  [4, 2, [1]],
  [5, 1, []],
])("event %i is part of step %i, below %j", (seq, step, above) => {
  const found = findStep(nested, seq);
  expect([found?.step.seq, found?.above.map((each) => each.seq)]).toEqual([step, above]);
});

test("an event that is not at hand is part of nothing", () => {
  expect(findStep(nested, 99)).toBeNull();
});

test.each([
  ["as it was told", [call(1, "a"), result(2, "a", { duration_ms: 7 })], 7],
  ["from its first event to its last", [call(1, "a"), result(2, "a")], 100],
  ["not known while it is under way", [call(1, "a")], null],
  ["not known without a beginning", [result(1, "a")], null],
  ["of nonsense, by the events", [call(1, "a"), result(2, "a", { duration_ms: -3 })], 100],
])("how long it took: %s", (_name, events, took) => {
  const [step] = buildSteps(events);
  expect(step?.kind === "tool" && tookMs(step)).toBe(took);
});

test.each([
  [{ result: 1 }, false],
  [{ error: "x" }, true],
  [{ error: null }, true],
])("a result %j has failed: %s", (payload, failed) => {
  const [step] = buildSteps([call(1, "a"), event(2, "tool.result", { id: "a", ...payload })]);
  expect(step?.kind === "tool" && hasFailed(step)).toBe(failed);
});

test.each([
  ["with the answer", [{}, { input_tokens: 5, output_tokens: 2, cost: 0.1 }], { input: 5, output: 2, cost: 0.1 }],
  ["with the request alone", [{ input_tokens: 5 }], { input: 5, output: null, cost: null }],
  ["with both, once", [{ input_tokens: 5 }, { input_tokens: 6 }], { input: 6, output: null, cost: null }],
  ["never", [{}, {}], { input: null, output: null, cost: null }],
])("tokens are told %s", (_name, [request, response], usage) => {
  const events = [event(1, "model.request", { model: "m", ...request }), ...(response ? [event(2, "model.response", { model: "m", ...response })] : [])];
  const [step] = buildSteps(events);
  expect(step?.kind === "model" && usageOf(step)).toEqual(usage);
});
