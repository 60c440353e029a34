import * as v from "valibot";
import { expect, test } from "vitest";
import type { KnowledgeCount, PromptChange, ScopeDiff } from "@/api/types";
import { entry, manifestRow, measured, row, support, written } from "@/testing/knowledge";
import { countOf } from "./counts";
import { alikeScopes, cacheText, changeText, changedScopes, leftOutLines, tokensText } from "./diff";
import { changesOf, draftOf } from "./draft";
import { KNOWLEDGE_ACTS, KNOWLEDGE_KEYS, STEPS, stepLabel } from "./keys";
import { mainOf, quotesOf, sourcesOf } from "./quotes";
import { isCounted, isNarrowed, knowledgeQuery, knowledgeSearch, noFilters, promptQuery, promptSearch, searchOfType } from "./search";
import { STATES, changedParts, happenedOf, lineWords, needsWording, speaksFor, supportOf, whyLost } from "./words";

const ID = row.id;

test.each([
  [{}, {}],
  [{ type: "lesson", state: "active", q: 2026 }, { type: "lesson", state: "active", q: "2026" }],
  [{ type: "wish", state: "gone", scope: "here", agent: "x", of: 7, row: "1", new: 2 }, {}],
  [{ state: "waits", scope: "everywhere", agent: ID, of: ID, row: ID, new: "1" }, { state: "waits", scope: "everywhere", agent: ID, of: ID, row: ID, new: 1 }],
  [{ q: "  " }, {}],
])("an address that says %j means %j", (address, meant) => {
  const parsed = v.parse(knowledgeSearch, address);
  expect(Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))).toEqual(meant);
});

test.each([
  [{}, {}],
  [{ state: "waits" as const }, { waits: true }],
  [{ state: "shadow" as const, type: "insight" as const }, { state: "shadow", type: "insight" }],
  [{ scope: "narrow" as const, agent: ID, of: ID, q: "euro", row: ID }, { everywhere: false, agent_id: ID, entity_type_id: ID, q: "euro" }],
])("the server is asked for %j as %j", (search, asked) => {
  expect(knowledgeQuery(search)).toEqual(asked);
});

test("a prompt is asked for by slugs and the words of a task", () => {
  expect(promptQuery(v.parse(promptSearch, { agent: "reader", of: "deal", task: "Read it" }))).toEqual({ agent: "reader", entity_type: "deal", task: "Read it" });
  expect(promptQuery({})).toEqual({});
});

test("what narrows goes along to another type, and what is open does not", () => {
  expect(searchOfType({ state: "active", q: "euro", type: "lesson", row: ID, new: 1 }, "routing")).toEqual({ state: "active", q: "euro", type: "routing" });
  expect(searchOfType({ type: "lesson" }, undefined)).toEqual({});
  expect(isNarrowed({ type: "lesson", row: ID })).toBe(false);
  expect(isNarrowed({ q: "euro" })).toBe(true);
  expect(isNarrowed({ q: "euro", ...noFilters() })).toBe(false);
  expect([isCounted({ state: "active", type: "lesson" }), isCounted({ q: "euro" }), isCounted({ agent: ID })]).toEqual([true, false, false]);
});

const COUNTS: KnowledgeCount[] = [
  { type: "correction", state: "proposed", count: 2, waits: 2 },
  { type: "correction", state: "active", count: 1000, waits: 1 },
  { type: "lesson", state: "active", count: 4, waits: 0 },
];

test.each([
  [undefined, undefined, "1,006+"],
  ["correction", "proposed", "2"],
  ["correction", "waits", "3+"],
  ["lesson", undefined, "4"],
  ["lesson", "waits", "0"],
  ["routing", undefined, "0"],
] as const)("of %s in %s there are %s", (type, state, count) => {
  expect(countOf(COUNTS, type, state)).toBe(count);
});

test("what is not counted yet is not 0", () => {
  expect(countOf(undefined, "lesson", undefined)).toBeNull();
});

const scope = (added: string[], removed: string[], agent: string | null = null): ScopeDiff => ({
  agent_id: agent,
  entity_type_id: null,
  added,
  removed,
  first_changed_line: added.length + removed.length > 0 ? 5 : null,
  tokens_before: 149,
  tokens_after: 140,
});
const change = (...scopes: ScopeDiff[]): PromptChange => ({ state: "active", scopes, truncated: false });

test("scopes with the same lines are told together, and those without a change not at all", () => {
  const diff = change(scope(["a"], []), scope([], []), scope(["a"], [], "1"), scope(["a"], ["b"], "2"));
  expect(changedScopes(diff)).toHaveLength(3);
  expect(alikeScopes(diff).map((alike) => alike.map(({ agent_id }) => agent_id))).toEqual([[null, "1"], ["2"]]);
  expect(changeText(diff)).toBe("3 prompts change. 1 other stays as it is.");
  expect(changeText(change(scope(["a"], [])))).toBe("1 prompt changes.");
  expect(changeText(change())).toBe("No prompt changes.");
  expect(changeText({ ...change(scope(["a"], [])), truncated: true })).toBe("1 prompt changes. There are more prompts than are looked at here.");
  expect(alikeScopes(change())).toEqual([]);
});

test.each([
  [149, 140, "149 → 140 tokens (−9)"],
  [0, 1200, "0 → 1,200 tokens (+1,200)"],
  [7, 7, "7 → 7 tokens (as many)"],
])("from %d to %d tokens", (tokens_before, tokens_after, said) => {
  expect(tokensText({ tokens_before, tokens_after })).toBe(said);
});

test("caches stay up to the first line that changes", () => {
  expect([null, 1, 9].map(cacheText)).toEqual(["caches stay", "caches are made anew", "caches are made anew from line 9 on"]);
});

test("what was left out is told by why, and nothing of what was not", () => {
  expect(leftOutLines({ by_rank: 0, by_budget: 0, by_scope: 0, shadow: 0 })).toEqual([]);
  const lines = leftOutLines({ by_rank: 2, by_budget: 0, by_scope: 0, shadow: 1 });
  expect(lines.map(({ count }) => count)).toEqual([2, 1]);
  expect(lines[1]?.why).toBe("they would hold here and are in shadow");
});

test("only what is otherwise than before is sent", () => {
  const draft = draftOf(row);
  expect(changesOf(row, draft)).toEqual({});
  expect(changesOf(row, { ...draft, content: ` ${row.content} ` })).toEqual({});
  expect(changesOf(row, { ...draft, type: "lesson", context: " ", agent_id: ID, pinned: true })).toEqual({ type: "lesson", context: null, agent_id: ID, pinned: true });
  expect(changesOf({ ...row, entity_type_id: ID }, draft)).toEqual({ entity_type_id: null });
  expect(draftOf(null, "routing")).toMatchObject({ type: "routing", content: "", agent_id: "" });
});

test("support is origins, or whoever stands for it", () => {
  expect(supportOf({ origins: 1, standing: "support" })).toBe("1 origin");
  expect(supportOf({ origins: 0, standing: "person" })).toBe("A person");
  expect(supportOf({ origins: 0, standing: "support" })).toBe("None");
});

test("only a correction that was copied has to be put into words", () => {
  expect(needsWording({ type: "correction", wording: false })).toBe(true);
  expect(needsWording({ type: "lesson", wording: false })).toBe(false);
  expect(needsWording(row)).toBe(false);
});

test.each([
  [{}, null],
  [{ lost: "dismissed" as const, counts: false }, "Lost: it was dismissed"],
  [{ lost: "rated_anew" as const }, "Lost: whoever gave it thinks otherwise by now"],
  [{ lost: "moved" as const, counts: false }, "Lost: it was taken out of its group"],
  [{ echo: true, counts: false }, "Echo: its words come from knowledge that was in its prompt"],
  [{ counts: false }, "No signal: a machine scored it elsewhere"],
])("what counts no more says why: %j", (part, why) => {
  expect(whyLost({ ...support, ...part })).toBe(why);
});

test("one rejection is one quote, however many rows it made", () => {
  const about = { ...support, entity_id: ID };
  const same = { ...about, feedback_id: "b", source_type: "response", counts: false };
  const other = { ...about, feedback_id: "c", author: null };
  const [first, second, ...more] = quotesOf([same, about, other, { ...about, feedback_id: "d", entity_id: null }, { ...about, feedback_id: "e", comment: null }, { ...about, feedback_id: "f", comment: null }]);
  expect(first?.map(({ feedback_id }) => feedback_id)).toEqual(["b", support.feedback_id]);
  expect(first && [mainOf(first).feedback_id, sourcesOf(first)]).toEqual([support.feedback_id, "rejected response, rejected value"]);
  expect([second?.length, more.length]).toEqual([1, 3]);
  expect(quotesOf([])).toEqual([]);
});

test("a history says who did what and where that led", () => {
  expect(happenedOf(entry)).toBe("Ada approved it, proposed → active");
  expect(happenedOf({ ...entry, change: "support", state_before: "active", state: "shadow" })).toBe("Its support changed, active → shadow");
  const proposed = { ...written, decided: "proposed" as const };
  expect(happenedOf({ ...entry, change: "created", state_before: null, after: proposed })).toBe("Ada proposed it");
  expect(happenedOf({ ...entry, change: "created", state_before: null })).toBe("Ada wrote it down");
  expect(changedParts({ before: null, after: written })).toEqual([]);
  expect(changedParts({ before: { ...written, type: "lesson", pinned: true }, after: written })).toEqual(["type (lesson → correction)", "not pinned any more"]);
});

test("a line of a prompt says what speaks for it", () => {
  expect(speaksFor(manifestRow)).toBe("2 origins, unmeasured");
  expect(speaksFor({ ...manifestRow, origins: 0, confirmations: 3, value: measured })).toBe("no feedback, confirmed 3 times, +4.1 (1.2 to 7.0), n\u00a048");
  expect(speaksFor({ ...manifestRow, type: null, state: null, origins: null })).toBe("it was deleted since");
  expect(lineWords(manifestRow.line)).toBe("when filling in `valuation`: Give valuations in euros");
  expect(lineWords("")).toBe("");
});

test("every act has its key in the help, and every state its steps", () => {
  const told = KNOWLEDGE_KEYS.flatMap(({ keys }) => [...keys] as string[]);
  for (const key of Object.keys(KNOWLEDGE_ACTS).filter((each) => each.length === 1)) expect(told).toContain(key);
  expect(STATES.map((state) => STEPS[state].map((step) => stepLabel(step, state)))).toEqual([
    ["Approve", "To shadow", "Reject"],
    ["Approve", "Retire", "Reject"],
    ["Approve again", "To shadow", "Retire"],
    ["Bring back"],
    ["Bring back"],
  ]);
});
