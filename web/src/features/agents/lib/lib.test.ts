import { expect, test } from "vitest";
import type { AgentConfig, Tool } from "@/api/types";
import { agent } from "@/testing/agents";
import { checkConfig, configOf, draftOf, isChanged, parseKept, putOnTop } from "./config";
import { isSystemAgent, lacksModel, whereItRuns } from "./runs";
import { durationText, statusOf, tokensText } from "./sessions";
import { groupTools, toggled } from "./tools";
import { chosenPair, diffVersions, isSame } from "./versionDiff";

const CONFIG: AgentConfig = {
  runtime: "built_in",
  model: "openai:gpt-6",
  base_url: null,
  instructions: "Be brief.",
  tool_groups: ["entities-read"],
  limits: { requests: 50, tool_calls: 200, tokens: 1_000_000, seconds: 600, cost: null },
  url: null,
  entry_point: null,
};
const draft = draftOf(CONFIG);

test("a configuration is the same after it was a draft", () => {
  expect(configOf(draft)).toEqual(CONFIG);
  expect(isChanged(draft, draftOf(CONFIG))).toBe(false);
});

test("an agent without a configuration begins with the usual", () => {
  expect(configOf(draftOf(null))).toEqual({ ...CONFIG, model: null, instructions: "", tool_groups: [] });
  expect(checkConfig(draftOf(null))).toEqual([]);
});

test("where an agent is goes with its runtime, and an empty limit is the usual one", () => {
  const http = configOf({ ...draft, runtime: "http", url: " https://x.test/run ", entry_point: "left over" });
  expect(http).toMatchObject({ runtime: "http", url: "https://x.test/run", entry_point: null });
  expect(configOf({ ...draft, limits: { ...draft.limits, tokens: "" } }).limits.tokens).toBe(1_000_000);
});

test("a note alone is a change, blanks are none", () => {
  expect(isChanged(draft, { ...draft, note: "Approved" })).toBe(true);
  expect(isChanged(draft, { ...draft, note: "  " })).toBe(false);
});

test.each<[string, Partial<typeof draft>, string[]]>([
  ["nothing wrong", {}, []],
  ["no model", { model: "" }, []],
  ["a model without provider", { model: "gpt-6" }, ["/model"]],
  ["a model with two colons", { model: "ollama:llama:8b" }, []],
  ["a base URL that is none", { base_url: "localhost:8000" }, ["/base_url"]],
  ["HTTP without address", { runtime: "http" }, ["/url"]],
  ["HTTP with a file", { runtime: "http", url: "file:///etc/passwd" }, ["/url"]],
  ["Python without name", { runtime: "python" }, ["/entry_point"]],
  ["instructions too long", { instructions: "x".repeat(100_001) }, ["/instructions"]],
  ["instructions as long as may be", { instructions: "x".repeat(100_000) }, []],
  ["a long note", { note: "x".repeat(2_001) }, ["/note"]],
  ["no request", { limits: { ...draft.limits, requests: 0 } }, ["/limits/requests"]],
  ["no tool call", { limits: { ...draft.limits, tool_calls: 0 } }, []],
  ["half a second", { limits: { ...draft.limits, seconds: 0.5 } }, ["/limits/seconds"]],
  ["no cost", { limits: { ...draft.limits, cost: 0 } }, ["/limits/cost"]],
  ["some cost", { limits: { ...draft.limits, cost: 0.01 } }, []],
])("checks: %s", (_, change, places) => {
  expect(checkConfig({ ...draft, ...change }).map(({ path }) => path)).toEqual(places);
});

test("mine on top of theirs keeps what only they changed", () => {
  const theirs = draftOf({ ...CONFIG, instructions: "Theirs", model: "openai:gpt-7" });
  expect(putOnTop(draft, { ...draft, instructions: "Mine" }, theirs)).toMatchObject({
    instructions: "Mine",
    model: "openai:gpt-7",
  });
});

test("what was kept is read again, and what is none is not", () => {
  const kept = { version: 3, base: draft, draft: { ...draft, note: "n" } };
  expect(parseKept(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  expect(parseKept({ version: 3, draft: {} })).toBeNull();
  expect(parseKept(undefined)).toBeNull();
});

test.each<[string, AgentConfig | null, AgentConfig | null, string[]]>([
  ["nothing and nothing", null, null, []],
  ["equal", CONFIG, CONFIG, []],
  ["another model", CONFIG, { ...CONFIG, model: "openai:gpt-7" }, ["Model: openai:gpt-6 → openai:gpt-7"]],
  ["no model any more", CONFIG, { ...CONFIG, model: null }, ["Model: openai:gpt-6 → null"]],
  [
    "tools and a limit",
    CONFIG,
    { ...CONFIG, tool_groups: ["entities-read", "responses"], limits: { requests: 50, tool_calls: 200, tokens: 5_000, seconds: 600, cost: 2 } },
    ["Tools: entities-read → entities-read, responses", "Limit: tokens: 1,000,000 → 5,000", "Limit: cost: null → 2"],
  ],
])("keys that differ: %s", (_, before, after, expected) => {
  const { keys } = diffVersions(before, after);
  expect(keys.map(({ label, before, after }) => `${label}: ${before} → ${after}`)).toEqual(expected);
});

test("the first version is all new", () => {
  const diff = diffVersions(null, CONFIG);
  expect(diff.keys.map(({ label }) => label)).toEqual(
    ["Runtime", "Model", "Tools", "Limit: requests", "Limit: tool calls", "Limit: tokens", "Limit: seconds"],
  );
  expect(diff.instructions.map(({ kind }) => kind)).toEqual(["added"]);
  expect(isSame(diff)).toBe(false);
  expect(isSame(diffVersions(CONFIG, CONFIG))).toBe(true);
});

test.each<[number, number | undefined, number | undefined, number, number]>([
  [5, undefined, undefined, 4, 5],
  [1, undefined, undefined, 0, 1],
  [5, 2, 3, 2, 3],
  [5, 4, 2, 4, 2],
  [5, undefined, 3, 2, 3],
  [5, 9, 9, 4, 5],
  [5, 0, 0, 0, 0],
])("of %i versions, %s and %s are %i and %i", (newest, from, to, first, second) => {
  expect(chosenPair(newest, from, to)).toEqual({ from: first, to: second });
});

const tool = (name: string, group: string, writes: boolean) => ({ name, group, writes }) as Tool;

test("tools stand in their groups, and what is chosen but gone is still there to be taken away", () => {
  const groups = groupTools([tool("a", "read", false), tool("b", "write", true), tool("c", "write", false)], ["gone", "read"]);
  expect(groups.map(({ name, tools, writes }) => [name, tools.length, writes])).toEqual([
    ["read", 1, false],
    ["write", 2, true],
    ["gone", 0, false],
  ]);
  expect(groupTools([], [])).toEqual([]);
  expect(toggled(["a"], "b")).toEqual(["a", "b"]);
  expect(toggled(["a", "b"], "a")).toEqual(["b"]);
});

test.each<[string | null, string | null, string | null]>([
  [null, "2026-01-01T00:00:00Z", null],
  ["2026-01-01T00:00:00Z", null, null],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "0.0 s"],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:03.25Z", "3.3 s"],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:59.4Z", "59 s"],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:59.9Z", "1 min 0 s"],
  ["2026-01-01T00:00:00Z", "2026-01-01T01:02:10Z", "1 h 2 min"],
  ["2026-01-01T00:00:05Z", "2026-01-01T00:00:00Z", null],
])("from %s to %s is %s", (began, ended, text) => {
  expect(durationText(began, ended)).toBe(text);
});

test("statuses and tokens have words", () => {
  expect(statusOf("waiting").label).toBe("Waits for a person");
  expect(statusOf("dreaming")).toEqual({ label: "dreaming", color: "gray" });
  expect(tokensText(0, 0)).toBe("–");
  expect(tokensText(1200, 34)).toBe("1,234");
});

test("a list says where an agent runs", () => {
  const here = { version: 1, runtime: "built_in", model: null } as const;
  expect(whereItRuns({ runs_with: null }, null)).toEqual({ where: "Elsewhere", model: null });
  expect(whereItRuns({ runs_with: here }, undefined)).toEqual({ where: "Here", model: null });
  expect(whereItRuns({ runs_with: here }, null)).toEqual({ where: "Here", model: "No model is configured" });
  expect(whereItRuns({ runs_with: here }, "openai:gpt-6")).toEqual({ where: "Here", model: "openai:gpt-6" });
  expect(whereItRuns({ runs_with: { ...here, model: "test:a" } }, "openai:gpt-6").model).toBe("test:a");
  expect(whereItRuns({ runs_with: { ...here, runtime: "http" } }, null)).toEqual({ where: "Over HTTP", model: null });
});

test.each<[AgentConfig | null, string | null | undefined, boolean]>([
  [null, null, false],
  [CONFIG, null, false],
  [{ ...CONFIG, model: null }, null, true],
  [{ ...CONFIG, model: null }, undefined, false],
  [{ ...CONFIG, model: null }, "openai:gpt-6", false],
  [{ ...CONFIG, model: null, runtime: "http" }, null, false],
])("a model is missing: %#", (config, installed, missing) => {
  expect(lacksModel(config && { config }, installed)).toBe(missing);
});

test("system agents are told from others", () => {
  expect(isSystemAgent(agent)).toBe(false);
  expect(isSystemAgent({ ...agent, is_system: true } as never)).toBe(true);
});
