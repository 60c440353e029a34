import * as v from "valibot";
import { expect, test } from "vitest";
import type { ReviewOutcome } from "@/api/types";
import { detail, feedback, group, otherFeedback, reviewedBy } from "@/testing/feedback";
import { aspectOf, contextOf, qualityText, rerunText, wordsOf } from "./context";
import { beginOf, feedbackOf, toBars, totalsOf } from "./counts";
import { flagOf } from "./flags";
import { parseRules, reportText, withRule } from "./imports";
import { hoursText, scoreFigure, shareFigure } from "./loop";
import { countBefore, happenedOf, sinceLooked, summarize, takenBack, theRest, whoWasFirst } from "./outcomes";
import { PARTS, countMore, feedbackQuery, feedbackSearch, groupsQuery, groupsSearch, isNarrowed, noFilters, searchOfPart } from "./search";
import { nextAfter, targetsOf, toggled, withRange } from "./selection";
import { decisionOf, waitingOf } from "./words";

const NOW = new Date("2026-01-31T12:00:00Z");

test("what an address says and cannot be used counts as not given", () => {
  const read = v.parse(groupsSearch, { rating: "angry", kind: "tool", q: 2026, days: 7, proposed: "yes", group: "x" });
  expect(read).toMatchObject({ kind: "tool", q: "2026", days: 7 });
  expect([read.rating, read.proposed, read.group]).toEqual([undefined, undefined, undefined]);
  expect(v.parse(feedbackSearch, { status: "any", source: "chat" })).toMatchObject({ status: "any", source: "chat" });
});

test("open groups are asked for that are proposed and wait, unless the address says otherwise", () => {
  expect(groupsQuery({}, NOW)).toEqual({ state: "open", proposed: true, waits: true });
  expect(groupsQuery({ state: "dismissed", group: group.id, q: "late", days: 7 }, NOW)).toEqual({
    state: "dismissed",
    proposed: true,
    q: "late",
    since: "2026-01-24T00:00:00Z",
  });
  expect(groupsQuery({ proposed: "no", source: "chat", type: "deal" }, NOW)).toEqual({
    state: "open",
    proposed: false,
    waits: true,
    source_type: "chat",
    entity_type: "deal",
  });
});

test("of what is in no group that is asked for which waits, of all feedback all", () => {
  expect(feedbackQuery({}, true, NOW)).toEqual({ status: "pending", grouped: false });
  expect(feedbackQuery({ status: "any" }, true, NOW)).toEqual({ grouped: false });
  expect(feedbackQuery({}, false, NOW)).toEqual({});
  expect(feedbackQuery({ status: "applied", end: "2026-01-05" }, false, NOW)).toEqual({ status: "applied", until: "2026-01-05T23:59:59.999999Z" });
});

test("what narrows one part goes along to the next, and no more", () => {
  expect(searchOfPart(PARTS[1], { q: "late", kind: "tool", group: group.id, rating: "negative" })).toEqual({ q: "late", rating: "negative" });
  expect(searchOfPart(PARTS[5], { q: "late" })).toEqual({});
});

test("filters are counted and cleared together", () => {
  expect(countMore({ days: 7, start: "2026-01-01", kind: "tool" })).toBe(2);
  expect(isNarrowed({ ...noFilters() })).toBe(false);
  expect(isNarrowed({ proposed: "no" })).toBe(true);
});

test.each([
  ["none before", null, ["a"], ["a"]],
  ["down", "a", [], ["a", "b", "c"]],
  ["up", "d", ["d"], ["c", "d"]],
  ["from a row that is gone", "z", [], ["c"]],
])("a range is selected from the last row: %s", (_name, from, before, after) => {
  const to = from === null ? "a" : "c";
  expect([...withRange(new Set(before), ["a", "b", "c", "d"], from, to)].sort()).toEqual(after);
});

test("an act is about what is selected and still there, else about the one at hand", () => {
  const rows = [{ id: "a" }, { id: "b" }];
  expect(targetsOf(rows, new Set(["b", "gone"]), "a")).toEqual([{ id: "b" }]);
  expect(targetsOf(rows, new Set(["gone"]), "a")).toEqual([{ id: "a" }]);
  expect(targetsOf(rows, new Set(), null)).toEqual([]);
  expect([...toggled(toggled(new Set<string>(), "a"), "a")]).toEqual([]);
});

test("after a decision one goes on with the next that is left", () => {
  const [a, b, c] = [{ id: "a" }, { id: "b" }, { id: "c" }];
  expect(nextAfter([a, b, c], [a])).toBe("b");
  expect(nextAfter([a, b, c], [c])).toBe("b");
  expect(nextAfter([a, b, c], [a, b])).toBe("c");
  expect(nextAfter([a], [a])).toBeUndefined();
});

const OUTCOMES: ReviewOutcome[] = [
  { id: feedback.id, outcome: "done", feedback },
  { id: otherFeedback.id, outcome: "already", feedback: reviewedBy(otherFeedback, "Ben", "2026-01-31T11:00:00Z") },
  { id: "gone", outcome: "absent", feedback: null },
];

test("of each it is told what happened, and who was first", () => {
  const happened = happenedOf(OUTCOMES, "reviewed", () => "Late");
  expect(happened.map(({ done, detail: said }) => [done, said])).toEqual([
    [true, "Reviewed"],
    [false, "Ben was first, and applied it: Index rebuilt"],
    [false, "It is not there any more"],
  ]);
  expect(happened[2]?.what).toBe("Late");
  expect(summarize(happened, "reviewed")).toBe("1 reviewed, 2 not.");
  expect(summarize(happened.slice(0, 1), "reviewed")).toBe("1 reviewed.");
  expect(summarize(happened.slice(1), "reviewed")).toBe("None reviewed, 2 not.");
});

test("what was reviewed before one looked is no surprise", () => {
  expect(sinceLooked(OUTCOMES, { read_at: "2026-01-31T10:00:00Z" }, "me")).toHaveLength(2);
  expect(sinceLooked(OUTCOMES, { read_at: "2026-01-31T11:30:00Z" }, "me")).toHaveLength(1);
  const own = OUTCOMES.map((each) => ({ ...each, feedback: each.feedback && { ...each.feedback, reviewed_by_user_id: "me" } }));
  expect(sinceLooked(own, { read_at: "2026-01-31T10:00:00Z" }, "me")).toHaveLength(1);
});

test("what a large group's answer does not show is one line that counts for all of it", () => {
  expect(theRest(group, 1, OUTCOMES, "reviewed")).toEqual([]);
  const rest = theRest(group, 1903, OUTCOMES, "reviewed");
  expect(rest.map(({ what, count }) => [what, count])).toEqual([["1,902 others of “search”", 1902]]);
  expect(summarize([...happenedOf(OUTCOMES, "reviewed", () => "Late"), ...rest], "reviewed")).toBe("1,903 reviewed, 2 not.");
});

test("taking back says what became of it", () => {
  expect(takenBack(2, 2)).toBe("Taken back.");
  expect(takenBack(1, 3)).toBe("1 taken back, 2 not: others have decided since.");
  expect(takenBack(0, 1)).toBe("Nothing was taken back: others have decided since.");
});

test("whoever is second with a group learns who was first", () => {
  const conflict = { state: "dismissed", decided_by: { kind: "user", id: null, name: "Ben" }, reason: "noise", note: "spam" };
  expect(whoWasFirst({ code: "feedback_group_decided", conflict })).toBe("Ben was first, and dismissed it (noise: spam)");
  expect(whoWasFirst({ code: "not_found", conflict })).toBeNull();
  expect(whoWasFirst({ code: "feedback_group_decided", conflict: null })).toBeNull();
});

test("how many are decided is said before", () => {
  expect(countBefore([group])).toBe("2 items wait in this group.");
  expect(countBefore([group, { ...group, pending: 1 }])).toBe("3 items wait in 2 groups.");
  expect(countBefore([{ ...group, pending: 0 }])).toBe("Nothing waits in this group.");
});

test("a group tells how many wait, and what was decided", () => {
  expect(waitingOf(group)).toBe("2 waiting");
  expect(waitingOf({ members: 5, pending: 2 })).toBe("2 of 5 waiting");
  expect(waitingOf({ members: 5, pending: 0 })).toBe("5 reviewed");
  expect(decisionOf(group)).toBeNull();
  const ben = { kind: "user" as const, id: null, name: "Ben" };
  expect(decisionOf({ ...group, state: "dismissed", decided_by: ben, reason: "one_off" })).toBe("Dismissed by Ben (one-off).");
  expect(decisionOf({ ...group, returned: true, decided_by: ben, note: "later" })).toBe("It came back: more of it came after Ben had put it aside (later).");
});

test("feedback without words says what is known of it", () => {
  const mute = { ...feedback, comment: null };
  expect(wordsOf(feedback)).toBe("The search came back empty");
  expect(wordsOf(mute)).toBe("About search");
  expect(wordsOf({ ...mute, context: { failure_reason: "Timeout" } })).toBe("Timeout");
  expect(wordsOf({ ...mute, context: { name: "helpful", value: 4 } })).toBe("helpful: 4");
  expect(wordsOf({ ...mute, context: {} })).toBe("Without words");
  expect(aspectOf({ context: { field_name: "valuation" } })).toBe("valuation");
  expect(contextOf({ context: { turn_id: 7, rerun: "no" } })).toMatchObject({});
});

test("how far a rejection can be acted on is said in words", () => {
  const quality = { score: 80, grade: "good", missing: ["source_evidence"] };
  expect(qualityText(contextOf({ context: { quality } }))).toBe("80 of 100, good; it lacks a source");
  expect(qualityText(contextOf(detail))).toBeNull();
});

test.each([
  [{ state: "started", session_id: "s" }, "It is being tried again."],
  [{ state: "completed", response_id: "r" }, "It was tried again, and there is a new response."],
  [{ state: "completed" }, "It was tried again, and nothing better was found."],
  [{ state: "not_started", message: "No model is set." }, "It was not tried again. No model is set."],
  [{ state: "failed", message: "Timeout" }, "Trying again did not succeed: Timeout"],
])("what came of trying again: %j", (rerun, said) => {
  expect(rerunText(contextOf({ context: { rerun } }).rerun ?? { state: "" , session_id: undefined, response_id: undefined, code: undefined, message: undefined })).toBe(said);
});

test("each thing is flagged by what the server knows it by", () => {
  const said = { source_type: "observation", rating: "negative", comment: "Wrong" };
  expect(flagOf({ what: "record", entity_id: "e" }, "negative", "Wrong")).toEqual({ ...said, entity_id: "e" });
  expect(flagOf({ what: "session", session_id: "s" }, "negative", "Wrong")).toEqual({ ...said, session_id: "s" });
  expect(flagOf({ what: "response", entity_id: "e", response_id: "r" }, "negative", "Wrong")).toEqual({ ...said, entity_id: "e", context: { response_id: "r" } });
  expect(flagOf({ what: "turn", project: "p", conversation_id: "c", turn_id: "t" }, "negative", "Wrong")).toEqual({
    ...said,
    context: { project: "p", conversation_id: "c", turn_id: "t" },
  });
});

test("there is a bar for every step, also where nothing came", () => {
  const counts = [
    { at: "2026-01-05T00:00:00Z", source_type: "chat" as const, rating: "negative" as const, count: 2 },
    { at: "2026-01-05T00:00:00Z", source_type: "tool" as const, rating: "negative" as const, count: 1 },
    { at: "2026-01-07T00:00:00Z", source_type: "chat" as const, rating: "positive" as const, count: 1 },
  ];
  const span: [number, number] = [Date.parse("2026-01-04T00:00:00Z"), Date.parse("2026-01-07T10:00:00Z")];
  const bars = toBars(counts, "rating", "day", span);
  expect(bars.map(({ total }) => total)).toEqual([0, 3, 0, 1]);
  expect(totalsOf(bars, ["negative", "neutral", "positive"])).toEqual([
    { part: "negative", count: 3 },
    { part: "positive", count: 1 },
  ]);
  expect(toBars([], "rating", "month", span)).toHaveLength(1);
});

test("weeks begin on Monday and months on their first day, in UTC", () => {
  expect(new Date(beginOf(Date.parse("2026-01-04T23:00:00Z"), "week")).toISOString()).toBe("2025-12-29T00:00:00.000Z");
  expect(new Date(beginOf(Date.parse("2026-01-31T23:00:00Z"), "month")).toISOString()).toBe("2026-01-01T00:00:00.000Z");
  expect(feedbackOf(Date.parse("2026-01-05T00:00:00Z"), "week")).toEqual({ start: "2026-01-05", end: "2026-01-11" });
});

test("figures carry their interval, and nothing to count is no zero", () => {
  expect(shareFigure({ share: 0.5, low: 0.25, high: 0.75, count: 2, n: 4 }, "decided")).toEqual({
    value: "50\u00a0%",
    detail: "25 to 75\u00a0% · 2 of 4 decided",
    bar: { at: 50, low: 25, high: 75 },
  });
  expect(shareFigure({ share: null, low: null, high: null, count: 0, n: 0 }, "decided").value).toBe("–");
  expect(scoreFigure({ value: 95, low: null, high: null, n: 1 }, "rejections")).toMatchObject({ value: "95", detail: "of 100 · 1 rejections", bar: null });
  expect([0.5, 6, 47.6, 72].map(hoursText)).toEqual(["30\u00a0min", "6\u00a0h", "48\u00a0h", "3\u00a0days"]);
});

test("rules are one a line, and a report is a sentence", () => {
  expect(parseRules(" a=1..5 \n\n b=sign")).toEqual(["a=1..5", "b=sign"]);
  expect(withRule("a=1..5\n", "tone")).toBe("a=1..5\ntone=");
  const report = { kind: "langfuse", dry_run: true, read: 4, new: 1, existing: 1, left_out: 1, rejected: 1, rejects: [], unmapped: [], preview: [] };
  expect(reportText(report)).toBe("4 rows read: 1 row would be imported, 1 is here already, 1 left out, 1 cannot be used.");
  expect(reportText({ ...report, dry_run: false, existing: 0, left_out: 0, rejected: 0 })).toBe("4 rows read: 1 row was imported.");
});
