import { expect, test } from "vitest";
import { type Field, listFields } from "@/features/entity_types/lib/fields";
import { company, northwind, promotion, response } from "@/testing/records";
import { conflictRows } from "./conflict";
import { applyChanges, changesBetween, parseDraft, placeContentErrors, toDraft } from "./draft";
import { canUndo, changeText, countAt, partyName, shownValue, sourceText, undoneIds } from "./provenance";
import { formatValue, isEmpty, safeUrl, sameValue, shortValue } from "./values";

const fields = listFields(company);

function field(kind: Field["kind"], more: Partial<Field> = {}): Field {
  return { key: "x", label: "X", description: null, kind, required: false, options: [], min: undefined, max: undefined, ...more };
}

test.each([
  [promotion, response, "Promoted from Filing reader by Ada"],
  [promotion, undefined, "Promoted by Ada"],
  [{ ...promotion, kind: "edit" as const }, undefined, "Edited by Ada"],
  [{ ...promotion, kind: "edit" as const, present: false }, undefined, "Cleared by Ada"],
  [{ ...promotion, kind: "aggregate" as const }, undefined, "Counted by Goldloop from its sources"],
  [{ ...promotion, kind: "undo" as const }, undefined, "Brought back by Ada"],
])("the source of a field reads as a sentence (%#)", (change, from, text) => {
  expect(sourceText(change, from)).toBe(text);
});

test.each([
  [promotion, "Ada promoted a proposal of Filing reader"],
  [{ ...promotion, kind: "undo" as const }, "Ada undid a promotion"],
  [{ ...promotion, kind: "edit" as const }, "Ada edited the value"],
  [{ ...promotion, kind: "edit" as const, present_before: false }, "Ada entered the value"],
  [{ ...promotion, kind: "edit" as const, present: false }, "Ada cleared the value"],
])("an entry of the history reads as a sentence (%#)", (change, text) => {
  expect(changeText(change, response)).toBe(text);
});

test("what the server counted says from how many sources", () => {
  const average = { ...promotion, kind: "aggregate" as const, field: "source_quality_avg", value: 7.166666, entity_version: 5 };
  const count = (version: number, value: number) => ({ ...average, field: "source_count", value, entity_version: version });
  expect(changeText(average, undefined, 4)).toBe("Counted by Goldloop from 4 sources");
  expect(sourceText(average, undefined, 1)).toBe("Counted by Goldloop from 1 source");
  expect(changeText(count(2, 3), undefined, 9)).toBe("Counted by Goldloop from 3 sources");
  expect([1, 2, 4, 5, 9].map((version) => countAt([count(5, 4), count(2, 3)], version))).toEqual([undefined, 3, 3, 4, 4]);
  expect(shownValue(7.166666, "aggregate")).toBe(7.17);
  expect(shownValue(7.166666, "edit")).toBe(7.166666);
});

test("a party without a name is still somebody", () => {
  expect(partyName(null)).toBe("Someone");
  expect(partyName({ kind: "system", id: null, name: null })).toBe("The system");
  expect(partyName({ kind: "agent", id: null, name: "" })).toBe("An agent");
});

test("only the promotion that the value comes from can be undone", () => {
  expect(canUndo(promotion)).toBe(true);
  expect(canUndo({ ...promotion, current: false })).toBe(false);
  expect(canUndo({ ...promotion, kind: "edit" })).toBe(false);
  expect(undoneIds([{ ...promotion, id: "u", kind: "undo", undoes_id: promotion.id }])).toEqual(new Set([promotion.id]));
});

test.each([
  [undefined, "No value"],
  [null, "No value"],
  ["  ", "No value"],
  [[], "No value"],
  [0, "0"],
  [2026, "2026"],
  [1234567.5, "1,234,567.5"],
  [true, "Yes"],
  [false, "No"],
  [["a", 2], "a, 2"],
  [{ a: 1 }, '{"a":1}'],
])("%j is worded %s", (value, text) => {
  expect(formatValue(value)).toBe(text);
});

test("what stands beside an arrow is one short line", () => {
  expect(shortValue("a\n\nb")).toBe("a b");
  expect(shortValue("x".repeat(200))).toHaveLength(80);
});

test.each([
  ["https://example.com/a", "https://example.com/a"],
  ["HTTP://example.com", "http://example.com/"],
  ["javascript:alert(1)", null],
  ["data:text/html,x", null],
  [" https://example.com", "https://example.com/"],
  ["https://bank.example@evil.example/", null],
  ["https://", null],
  [5, null],
])("safeUrl(%j) is %j", (value, url) => {
  expect(safeUrl(value)).toBe(url);
});

test("values are compared by what they hold", () => {
  expect(sameValue({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true);
  expect(sameValue({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(sameValue([], {})).toBe(false);
  expect(sameValue(1, "1")).toBe(false);
  expect(isEmpty(false)).toBe(false);
});

test("a record goes through its form unchanged", () => {
  const content = { name: "N", revenue: 41.5 };
  expect(parseDraft(toDraft(content, fields), fields)).toEqual({ content, errors: {} });
});

test.each([
  ["1e3", field("number"), 1000, undefined],
  ["many", field("number"), undefined, "This is a number"],
  ["1.5", field("integer"), undefined, "This is a whole number"],
  ["false", field("boolean"), false, undefined],
  ["2", field("enum", { options: [1, 2] }), 2, undefined],
  ["{", field("json"), undefined, "This is not valid JSON"],
  ["[1]", field("json"), [1], undefined],
  ["", field("text", { required: true }), undefined, "This is required"],
  [["a"], field("texts"), ["a"], undefined],
])("%j in a form makes a value or an error (%#)", (draft, of, value, error) => {
  const parsed = parseDraft({ x: draft }, [of]);
  expect(parsed.content.x).toEqual(value);
  expect(parsed.errors.x).toBe(error);
});

test("changes apply on top of what somebody else wrote", () => {
  const changes = changesBetween({ name: "N", revenue: 1 }, { name: "N", listedOn: "OSE" }, fields);
  expect([...changes]).toEqual([["revenue", undefined], ["listedOn", "OSE"]]);
  expect(applyChanges({ name: "Theirs", revenue: 2 }, changes)).toEqual({ name: "Theirs", listedOn: "OSE" });
});

test("both versions are told apart, fields that both changed first", () => {
  const theirs = { ...northwind, version: 4, content: { name: "Theirs", revenue: 50 } };
  const rows = conflictRows(northwind, theirs, "Mine", new Map<string, unknown>([["revenue", 60]]), fields);
  expect(rows.map(({ label, theirs: now, mine, clash }) => [label, now, mine, clash])).toEqual([
    ["Revenue (USD m)", 50, 60, true],
    ["Title", "Northwind", "Mine", false],
    ["Legal name", "Theirs", "Northwind Inc.", false],
  ]);
});

test("the server's objections stand at their inputs", () => {
  const at = (path: string) => placeContentErrors([{ path, code: "x", message: "No" }], fields);
  expect(at("/content/revenue")).toEqual({ fields: { "content.revenue": "No" }, head: null });
  expect(at("/content/founders/0")).toEqual({ fields: {}, head: "No" });
  expect(at("/title")).toEqual({ fields: { title: "No" }, head: null });
  expect(at("")).toEqual({ fields: {}, head: "No" });
});
