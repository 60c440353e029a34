import { describe, expect, test } from "vitest";
import type { EntityResponse } from "@/api/types";
import { ada, response } from "@/testing/records";
import { countText, totalText } from "./counts";
import { type Situation, nextOpen, outcomeText, whyNot } from "./queue";
import type { QueueAct } from "./queueKeys";
import { isNarrowed, toQuery } from "./search";

describe("counts", () => {
  test.each([
    [0, false, "0"],
    [201, false, "201"],
    [1000, true, "1,000+"],
  ])("%d is said as it was counted", (count, more, text) => expect(countText(count, more)).toBe(text));

  test.each([
    [[], null],
    [[{ count: 0, more: false }], null],
    [[{ count: 3, more: false }, { count: 4, more: false }], "7"],
    [[{ count: 1000, more: true }, { count: 1, more: false }], "1,001+"],
  ])("of all kinds together", (kinds, text) => expect(totalText(kinds)).toBe(text));
});

describe("the next to decide", () => {
  test.each([
    ["a", [], "b"],
    ["a", ["b"], "c"],
    ["c", [], "a"],
    ["c", ["a"], "b"],
    ["b", ["a", "c"], null],
    ["gone", ["a"], "b"],
  ])("from %s, with %s done", (from, done, next) =>
    expect(nextOpen(["a", "b", "c"], from, (id) => done.includes(id) || id === from)).toBe(next),
  );
  test("of none there is none", () => expect(nextOpen([], "a", () => false)).toBeNull());
});

const decided = (part: Partial<EntityResponse>): EntityResponse => ({ ...response, waits: false, reviewer: ada, ...part });

describe("what became of it", () => {
  test.each<[EntityResponse, string | null]>([
    [response, null],
    [decided({ status: "promoted" }), "Ada promoted it."],
    [decided({ status: "rejected" }), "Ada rejected it."],
    [decided({ status: "superseded" }), "Newer values took its place in the record."],
    [decided({ withdrawn_at: "2026-01-01T00:00:00Z" }), "It was withdrawn."],
    [decided({}), "There is nothing in it that could be promoted."],
  ])("is said", (row, text) => expect(outcomeText(row)).toBe(text));
});

const free: Situation = {
  response,
  canPromote: true,
  canReview: true,
  isLoaded: true,
  isBusy: false,
  ticked: 1,
  value: "revenue",
  isLast: false,
  hasDecided: true,
};

describe("a key that may not be used says why", () => {
  test.each<QueueAct>(["promote", "promoteAll", "leaveOut", "reject", "skip", "undo", "assign"])("%s may", (act) =>
    expect(whyNot(act, free)).toBeNull(),
  );
  test.each<[QueueAct, Partial<Situation>, RegExp]>([
    ["promote", { canPromote: false }, /Reviewers and admins can promote/],
    ["promoteAll", { canPromote: false }, /Reviewers and admins can promote/],
    ["promote", { response: decided({ status: "rejected" }) }, /rejected it/],
    ["promote", { isLoaded: false }, /being loaded/],
    ["promote", { isBusy: true }, /being saved/],
    ["promote", { ticked: 0 }, /left out/],
    ["leaveOut", { value: null }, /no value/],
    ["reject", { canReview: false }, /Reviewers and admins can reject/],
    ["reject", { response: { ...response, status: "partially_promoted" } }, /undo them/],
    ["skip", { isLast: true }, /the last one/],
    ["undo", { hasDecided: false }, /Nothing was decided/],
    ["assign", { canReview: false }, /Reviewers and admins can assign/],
    ["assign", { response: decided({ status: "promoted" }) }, /promoted it/],
  ])("%s", (act, part, why) => expect(whyNot(act, { ...free, ...part })).toMatch(why));
});

describe("the address", () => {
  test("asks for what waits, narrowed", () => {
    expect(toQuery({})).toEqual({ promotable: true });
    expect(toQuery({ type: "company", by: "agent", to: "me" })).toEqual({
      promotable: true,
      type: "company",
      submitted_by: "agent",
      assigned_to: "me",
    });
  });
  test.each([
    [{}, false],
    [{ to: "nobody" as const }, true],
  ])("%j", (filters, narrowed) => expect(isNarrowed(filters)).toBe(narrowed));
});
