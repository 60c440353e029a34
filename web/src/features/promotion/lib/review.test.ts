import { expect, test } from "vitest";
import { readEvidence } from "@/features/responses/lib/fieldMeta";
import { northwind, promotion, response } from "@/testing/records";
import { choosePicture, groupResponses, shownDimensions, summarize } from "./groups";
import { describePreview } from "./preview";
import { canReject, canReopen, canWithdraw, promotableKeys, promotionOf, whyNotPromotable } from "./status";

test("promotable is what has a field and a value and was not promoted", () => {
  expect(promotableKeys(response)).toEqual(["revenue"]);
  expect(promotableKeys({ ...response, promoted_fields: ["revenue"] })).toEqual([]);
  expect(promotableKeys({ ...response, values: { revenue: null } })).toEqual([]);
  expect(promotableKeys({ ...response, status: "rejected" })).toEqual([]);
  expect(promotableKeys({ ...response, status: "superseded" })).toEqual([]);
});

test.each([
  ["submitted", "revenue", null],
  ["submitted", "team", "The record has no field for this"],
  ["rejected", "revenue", "Reopen the response to promote it"],
  ["superseded", "revenue", "Newer responses took its place"],
  ["rejected", "team", "Reopen the response to promote it"],
] as const)("in status %s, %s: %s", (status, key, reason) => {
  expect(whyNotPromotable({ ...response, status }, key)).toBe(reason);
});

test("what was promoted before can be promoted again, unless the whole response is closed", () => {
  const before = { ...response, promoted_fields: ["revenue"] };
  expect(whyNotPromotable({ ...before, status: "partially_promoted" }, "revenue")).toBeNull();
  expect(whyNotPromotable({ ...before, status: "superseded" }, "revenue")).toBe("Newer responses took its place");
  expect(whyNotPromotable({ ...before, values: {} }, "revenue")).toBe("There is no value to promote");
});

const [revenue] = response.criteria_snapshot;
const promoted = { ...response, promoted_fields: ["revenue"] };

test.each([
  ["never promoted", response, new Map([["revenue", promotion]]), null],
  ["the source of the field", promoted, new Map([["revenue", promotion]]), "current"],
  ["replaced by another response", promoted, new Map([["revenue", { ...promotion, response_id: "other" }]]), "before"],
  ["replaced by an edit", promoted, new Map([["revenue", { ...promotion, response_id: null }]]), "before"],
  ["another dimension's", promoted, new Map([["revenue", { ...promotion, dimension_key: "team" }]]), "before"],
  ["of a field without a value now", promoted, new Map(), "before"],
  ["not known yet", promoted, undefined, "promoted"],
])("a value that is %s", (_what, given, sources, expected) => {
  if (!revenue) throw new Error("no dimension");
  expect(promotionOf(given, revenue, sources)).toBe(expected);
});

test("nothing is done with a withdrawn response", () => {
  const withdrawn = { ...response, withdrawn_at: "2026-01-02T00:00:00Z" };
  expect(promotableKeys(withdrawn)).toEqual([]);
  expect(whyNotPromotable(withdrawn, "revenue")).toBe("The response was withdrawn");
  expect([canReject(withdrawn), canWithdraw(withdrawn)]).toEqual([false, false]);
  expect(canReopen({ ...withdrawn, status: "rejected" })).toBe(false);
});

test("a response is rejected while submitted, reopened while rejected, withdrawn while nothing is promoted", () => {
  expect([canReject(response), canReopen(response), canWithdraw(response)]).toEqual([true, false, true]);
  const rejected = { ...response, status: "rejected" as const };
  expect([canReject(rejected), canReopen(rejected)]).toEqual([false, true]);
  expect(canWithdraw({ ...response, promoted_fields: ["revenue"] })).toBe(false);
});

const sets = [
  { id: "z", name: "Zeal", is_default: false },
  { id: "a", name: "Agility", is_default: false },
  { id: "d", name: "Record", is_default: true },
];
const of = (id: string, set: string, more = {}) => ({ ...response, id, criteria_set_id: set, ...more });

test("groups come default first, then by name, then unknown ones", () => {
  const groups = groupResponses([of("1", "x"), of("2", "z"), of("3", "d"), of("4", "a"), of("5", "z")], sets);
  expect(groups.map(({ criteriaSetId, rows }) => [criteriaSetId, rows.map(({ id }) => id)])).toEqual([
    ["d", ["3"]],
    ["a", ["4"]],
    ["z", ["2", "5"]],
    ["x", ["1"]],
  ]);
  expect(groupResponses([], sets)).toEqual([]);
});

test("the latest score is that of the newest response that has one and was not rejected", () => {
  const rows = [
    of("1", "a", { status: "rejected", normalized_score: 1 }),
    of("2", "a", { normalized_score: null }),
    of("3", "a", { normalized_score: 0.58 }),
    of("4", "z", { normalized_score: 0.1 }),
  ];
  expect(summarize(rows, "a")).toEqual({ count: 3, latestScore: 58, scored: 1 });
  expect(summarize([], "a")).toEqual({ count: 0, latestScore: null, scored: 0 });
});

test("what was looked for in vain is shown, what was left out is not", () => {
  const bare = { ...response, values: { team: 4 }, field_meta: {} };
  expect(shownDimensions(bare).map(({ key }) => key)).toEqual(["team"]);
  expect(shownDimensions({ ...bare, field_meta: { revenue: { sources: [] } } })).toHaveLength(2);
});

const preview = {
  entity_id: northwind.id,
  response_id: response.id,
  version: 3,
  status_after: "promoted" as const,
  fields: [
    { dimension: "revenue", field: "revenue", value: -5, value_before: 41.5, present_before: true, changes: true },
  ],
};

test.each([
  ["/content/revenue", ["No"], []],
  ["/content/name", [], ["Legal name: No."]],
  ["/content/head_count", [], ["Head count: No."]],
  ["", [], ["No."]],
  ["/content", [], ["No."]],
])("an objection at %j is named at its field, or above", (path, atField, general) => {
  const described = describePreview({ ...preview, errors: [{ path, code: "x", message: "No" }] }, new Map([["name", "Legal name"]]));
  expect(described.rows[0]?.errors).toEqual(atField);
  expect(described.general).toEqual(general);
});

test.each([[null], ["high"], [[]], [{}], [{ confidence: "sure", sources: "x" }], [{ sources: [null, 3] }]])(
  "evidence of %j is none",
  (meta) => {
    expect(readEvidence(meta)).toMatchObject({ confidence: null, sources: [] });
  },
);

test("evidence is labelled, and only a safe address is a link", () => {
  const { confidence, sources, effort } = readEvidence({
    confidence: "low",
    tokens_used: 1830,
    duration_ms: 4200,
    sources: [
      { type: "web", url: "https://www.example.com/a?b" },
      { type: "web", url: "javascript:alert(1)" },
      { type: "document", title: "Report", quote: "41.5" },
      { type: "entity", entity_id: northwind.id, title: "Northwind" },
      { type: "field", field: "revenue" },
    ],
  });
  expect(confidence).toBe("low");
  expect(effort).toBe("1,830 tokens, 4.2 s");
  expect(sources.map(({ kind, label, url, entityId }) => [kind, label, url, entityId])).toEqual([
    ["Web", "example.com/a", "https://www.example.com/a?b", null],
    ["Web", "javascript:alert(1)", null, null],
    ["Document", "Report", null, null],
    ["Entity", "Northwind", null, northwind.id],
    ["Field", "revenue", null, null],
  ]);
});

const relation = { type: "relation" as const, fieldKey: "founders" };
const group = (criteriaSetId: string, ...rows: (typeof response)[]) => ({ criteriaSetId, rows });
const scoped = (id: string, created_at: string) => ({ id, scope: relation, created_at });
const rated = { ...response, criteria_set_id: "archived", scope: relation };
const inUse = [{ id: "plain", scope: null, created_at: "2025" }, scoped("new", "2027"), scoped("old", "2026")];
const grouped = [group("plain", response), group("new"), group("old"), group("archived", rated)];
const answeredBy = (criteria_set_id: string) => ({ criteria_set_id });

test.each([
  ["the oldest in use", grouped, [], undefined, "old"],
  ["the one that has responses", grouped, [answeredBy("new"), answeredBy("plain")], undefined, "new"],
  ["the older of two that have", grouped, [answeredBy("new"), answeredBy("old")], undefined, "old"],
  ["the chosen one", grouped, [answeredBy("old")], "new", "new"],
  ["an archived one that is chosen", grouped, [answeredBy("old")], "archived", "archived"],
  ["the usual one where the chosen one is not there", grouped, [], "gone", "old"],
  ["the usual one where the chosen one rates no connections", grouped, [], "plain", "old"],
  ["an archived one where there is no other", grouped.slice(3), [answeredBy("archived")], undefined, "archived"],
  ["none where nothing rates connections", grouped.slice(0, 1), [], undefined, undefined],
] as const)("the picture shown is %s", (_what, groups, responses, chosen, shown) => {
  expect(choosePicture(groups, inUse, responses, chosen).shown).toBe(shown);
});

test("pictures are of the sets that rate connections, in use or not", () => {
  expect(choosePicture(grouped, inUse, [], undefined).of).toEqual(["new", "old", "archived"]);
});
