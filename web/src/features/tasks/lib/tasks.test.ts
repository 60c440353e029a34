import { expect, test } from "vitest";
import { task } from "@/testing/tasks";
import { agentFor, checkTask, configFacts, draftOf, kindLabel, taskOf } from "./tasks";

const HERE = "Europe/Berlin";

test("a task is the same after it was a draft", () => {
  const { name, kind, agent, config, schedule, enabled } = task;
  expect(taskOf(draftOf(task, HERE), task)).toEqual({ name, kind, agent, config, schedule, enabled });
});

test("what the form does not show stays", () => {
  const many = { ...task, kind: "populate_fields", config: { type: "company", min_score: 40, q: "acme", dimensions: ["size"] } };
  expect(taskOf(draftOf(many, HERE), many).config).toEqual(many.config);
  expect(taskOf({ ...draftOf(many, HERE), q: " ", dimensions: [] }, many).config).toEqual({ type: "company", min_score: 40 });
});

test("a new task says what is missing", () => {
  const draft = draftOf(null, HERE);
  expect(Object.keys(checkTask(draft))).toEqual(["name", "agent", "message"]);
  expect(Object.keys(checkTask({ ...draft, kind: "populate_fields" }))).toEqual(["name", "type"]);
  expect(checkTask(draftOf(task, HERE))).toEqual({});
});

test("a task that replays a set keeps what the form does not show", () => {
  const nightly = { ...task, kind: "eval_run", config: { setName: "clerk", repeats: 3, margin: 0.05, mode: "frozen", baseline: { agent: "clerk", version: 1 } } };
  const draft = draftOf(nightly, HERE);
  expect([draft.kind, draft.evalRun.margin, draft.evalRun.compares]).toEqual(["eval_run", 5, true]);
  expect(taskOf(draft, nightly).config).toEqual(nightly.config);
  const alone = taskOf({ ...draft, evalRun: { ...draft.evalRun, compares: false, margin: 12.5, maxCost: 2 } }, nightly).config;
  expect(alone).toEqual({ setName: "clerk", repeats: 3, margin: 0.125, mode: "frozen", baseline: "none", maxCost: 2 });
  const unlimited = { ...nightly, config: { ...nightly.config, maxCost: 2 } };
  expect(taskOf({ ...draftOf(unlimited, HERE), evalRun: { ...draft.evalRun, maxCost: "" } }, unlimited).config).toEqual(nightly.config);
});

test("a task that replays a set says what is missing and what it does", () => {
  const draft = { ...draftOf(null, HERE), kind: "eval_run" as const };
  expect(Object.keys(checkTask(draft))).toEqual(["name", "agent", "setName"]);
  expect(Object.keys(checkTask({ ...draft, evalRun: { ...draft.evalRun, repeats: "", margin: "" } }))).toContain("repeats");
  const config = { setName: "clerk", repeats: 3, margin: 0.05, maxCost: 2, baseline: "none", agents: [{ agent: "clerk", version: 1 }, { agent: "other" }] };
  expect(configFacts({ kind: "eval_run", config })).toEqual([
    { label: "Set of goldens", text: "clerk" },
    { label: "Also by", text: "clerk v1, other" },
    { label: "Compared with", text: "Nobody" },
    { label: "Repeats", text: "3" },
    { label: "Margin", text: "5 points" },
    { label: "Cost limit", text: "$2" },
  ]);
});

test("each kind begins with its agent", () => {
  expect(agentFor("populate_fields", "")).toBe("field-populator");
  expect(agentFor("populate_fields", "reader")).toBe("reader");
  expect(agentFor("prompt", "field-populator")).toBe("");
});

test("a kind that is not known is called by its name", () => {
  expect([kindLabel("prompt"), kindLabel("eval_run"), kindLabel("later")]).toEqual(["Prompt", "Replay a set", "later"]);
});

test("a configuration is told in words and in order", () => {
  const config = { documents: [{ title: "Report", text: "…" }], q: "acme", type: "company", waits: false, later: { x: 1 } };
  expect(configFacts({ kind: "populate_fields", config })).toEqual([
    { label: "Records of type", text: "company" },
    { label: "With the words", text: "acme" },
    { label: "Files to read", text: "Report" },
    { label: "later", text: '{"x":1}' },
    { label: "Fields", text: "All of them" },
  ]);
  expect(configFacts(task)).toEqual([{ label: "Message", text: "Greet us." }]);
});
