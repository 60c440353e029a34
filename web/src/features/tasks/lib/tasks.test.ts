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

test("each kind begins with its agent", () => {
  expect(agentFor("populate_fields", "")).toBe("field-populator");
  expect(agentFor("populate_fields", "reader")).toBe("reader");
  expect(agentFor("prompt", "field-populator")).toBe("");
});

test("a kind that is not known is called by its name", () => {
  expect([kindLabel("prompt"), kindLabel("eval_run")]).toEqual(["Prompt", "eval_run"]);
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
