import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { agentSession, event, sessionEvents } from "@/testing/sessions";
import { formatCost, formatCount, formatDuration, plural } from "./figures";
import { earlierPage, holds, lastSeq, startFor, withEarlier, withLater } from "./loaded";
import { argumentsLine, asText, errorText, oneLine, readInstructions, readMessages } from "./payloads";
import { adviceFor } from "./problems";
import { countMore, isNarrowed, noFilters, noMoreFilters, sessionSearch, sessionsSearch } from "./search";
import { canDismiss, canRunAgain, durationOf, isOpen } from "./status";

describe("figures", () => {
  test.each([
    [0, "0 ms"],
    [420.4, "420 ms"],
    [999.6, "999 ms"],
    [2_140, "2.1 s"],
    [9_999, "9.9 s"],
    [59_999, "59 s"],
    [60_000, "1 min"],
    [185_000, "3 min 5 s"],
    [7_440_000, "2 h 4 min"],
    [266_400_000, "3 d 2 h"],
    [-5, "0 ms"],
    [Number.NaN, "–"],
  ])("%d ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test.each([
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [12_345, "12.3k"],
    [999_499, "999k"],
    [999_500, "1M"],
    [1_240_000, "1.2M"],
  ])("%d tokens are %s", (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  test.each([
    [0, "$0"],
    [1234.5, "$1,234.50"],
    [0.1, "$0.10"],
    [0.0173, "$0.017"],
    [0.00210, "$0.0021"],
    [0.000_000_1, "< $0.000001"],
  ])("%d dollars are %s", (dollars, text) => {
    expect(formatCost(dollars)).toBe(text);
  });

  test("one is one", () => {
    expect([plural(1, "event"), plural(2000, "event")]).toEqual(["1 event", "2,000 events"]);
  });
});

describe("how a session stands", () => {
  const at = Date.parse("2026-01-05T10:01:00Z");
  test.each([
    ["not begun", { started_at: null, status: "queued" }, null],
    ["over", {}, 4200],
    ["under way", { status: "running", ended_at: null }, 60_000],
    ["waiting for a person", { status: "waiting", ended_at: null }, 60_000],
    ["over without a moment", { ended_at: null }, null],
    ["a clock that went back", { ended_at: "2026-01-05T09:00:00Z" }, 0],
  ] as const)("a session that is %s took %j", (_name, change, took) => {
    expect(durationOf({ ...agentSession, ...change }, at)).toBe(took);
  });

  test.each([
    ["queued", true, false, false],
    ["running", true, false, false],
    ["waiting", true, false, false],
    ["stalled", true, false, true],
    ["completed", false, true, false],
    ["failed", false, true, true],
    ["cancelled", false, true, false],
  ] as const)("%s: open %s, run again %s, dismissed %s", (status, open, again, dismissed) => {
    const session = { ...agentSession, status };
    expect([isOpen(session), canRunAgain(session), canDismiss(session)]).toEqual([open, again, dismissed]);
    expect(canRunAgain({ ...session, source: "client" })).toBe(false);
    expect(canRunAgain({ ...session, purpose: "replay" })).toBe(false);
    expect(canDismiss({ ...session, dismissed_at: agentSession.created_at })).toBe(false);
  });

  test.each([
    ["no_model", "No model is set", /GOLDLOOP_MODEL/],
    ["limit_tokens", "It reached its limit of tokens", /raise the limit/],
    ["invalid_url", "The agent's address is none", /configuration/],
    ["internal_error", "Something failed that nobody expected", /log/],
    ["of_their_own", "It failed", /last steps/],
    ["constructor", "It failed", /last steps/],
  ])("%s is said as %s", (code, title, advice) => {
    expect(adviceFor(code).title).toBe(title);
    expect(adviceFor(code).advice).toMatch(advice);
  });
});

describe("addresses", () => {
  const given = (search: object) => Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
  test.each([
    [sessionsSearch, {}, {}],
    [
      sessionsSearch,
      { q: 2026, status: "failed", agent: " bot ", type: "chat", source: "client", golden: false, days: 7, waits_for: "look" },
      { q: "2026", status: "failed", agent: "bot", type: "chat", source: "client", golden: false, days: 7, waits_for: "look" },
    ],
    [sessionsSearch, { q: " ", status: "gone", type: "x", source: "y", golden: "z", days: 8, start: "soon", waits_for: "x" }, {}],
    [sessionSearch, { view: "timeline", event: 12 }, { view: "timeline", event: 12 }],
    [sessionSearch, { view: "raw", event: 0 }, {}],
    [sessionSearch, { event: 1.5 }, {}],
    [sessionSearch, { event: 2 ** 31 }, {}],
  ])("%#: %j means %j", (schema, said, meant) => {
    expect(given(v.parse(schema, said))).toEqual(meant);
  });

  test("filters out of sight are counted, days that belong together once", () => {
    const search = v.parse(sessionsSearch, { q: "a", source: "run", start: "2026-01-01", end: "2026-01-02", waits_for: "answer" });
    expect(countMore(search)).toBe(3);
    expect(countMore({ ...search, ...noMoreFilters() })).toBe(0);
    expect(isNarrowed({ ...search, ...noMoreFilters() })).toBe(true);
    expect(isNarrowed({ ...search, ...noFilters() })).toBe(false);
  });
});

describe("the stretch that is at hand", () => {
  const stretch = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => event(from + place, "x"));
  const seqs = ({ events }: { events: readonly { seq: number }[] }) => events.map(({ seq }) => seq);

  test.each([
    [undefined, 5000, 0],
    [1, 5000, 0],
    [21, 5000, 0],
    [3000, 5000, 2979],
    [5000, 5000, 4800],
    [50, 60, 0],
  ])("event %j of %i is read from after %i", (linked, total, after) => {
    expect(startFor(linked, total)).toBe(after);
  });

  test("grows at both ends, and nothing is there twice", () => {
    const begun = withLater({ events: [], isEnd: true }, stretch(5, 6), false);
    const later = withLater(begun, stretch(6, 8), true);
    expect([seqs(later), later.isEnd]).toEqual([[5, 6, 7, 8], true]);
    expect(seqs(withEarlier(later, stretch(3, 5)))).toEqual([3, 4, 5, 6, 7, 8]);
    expect(lastSeq(later)).toBe(8);
  });

  test("is the very same where nothing came", () => {
    const known = { events: stretch(1, 2), isEnd: true };
    expect(withLater(known, [], true)).toBe(known);
    expect(withLater(known, [], false)).not.toBe(known);
  });

  test.each([
    [1, null],
    [2, { after: 0, limit: 1 }],
    [201, { after: 0, limit: 200 }],
    [500, { after: 299, limit: 200 }],
  ])("before event %i comes the page %j", (first, page) => {
    expect(earlierPage({ events: stretch(first, first), isEnd: true })).toEqual(page);
  });

  test("knows what it holds", () => {
    const known = { events: stretch(5, 9), isEnd: false };
    expect([4, 5, 9, 10].map((seq) => holds(known, seq))).toEqual([false, true, true, false]);
    expect(holds({ events: [], isEnd: true }, 1)).toBe(false);
  });
});

describe("payloads", () => {
  test.each([
    [undefined, ""],
    [null, ""],
    [{}, ""],
    ["two\n  lines", "two lines"],
    [{ a: 1 }, '{"a":1}'],
    ["x".repeat(300), `${"x".repeat(160)}…`],
  ])("%j in one line is %s", (value, line) => {
    expect(oneLine(value)).toBe(line);
  });

  test.each([
    [{ query: "a", limit: 5, deep: { x: 1 } }, 'query: a, limit: 5, deep: {"x":1}'],
    ["as it is", "as it is"],
    [undefined, ""],
  ])("arguments %j are read as %s", (value, line) => {
    expect(argumentsLine(value)).toBe(line);
  });

  test.each([
    ["It broke", "It broke"],
    [{ message: "It broke", code: 5 }, "It broke"],
    [{ status: 503 }, '{"status":503}'],
    [null, "It failed, and nobody told why"],
  ])("error %j says %s", (error, text) => {
    expect(errorText(error)).toBe(text);
  });

  test("text stays text, and the rest is JSON", () => {
    expect([asText("a"), asText({ a: 1 }), asText(undefined)]).toEqual(["a", '{\n  "a": 1\n}', ""]);
  });

  test.each([
    ["nothing", undefined, []],
    ["no list", { role: "user" }, []],
    ["plain messages", [{ role: "user", content: "Hi" }], [{ role: "user", text: "Hi" }]],
    ["parts of content", [{ role: "user", content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] }], [{ role: "user", text: "a\nb" }]],
    ["anything", ["x"], [{ role: "message", text: "x" }]],
    [
      "messages in parts",
      [
        { kind: "request", parts: [{ part_kind: "user-prompt", content: "Hi" }] },
        { kind: "response", parts: [{ part_kind: "tool-call", tool_name: "find", args: { q: 1 } }] },
        { kind: "request", parts: [{ part_kind: "tool-return", tool_name: "find", content: { n: 2 } }] },
      ],
      [
        { role: "user", text: "Hi" },
        { role: "tool call find", text: '{\n  "q": 1\n}' },
        { role: "tool result find", text: '{\n  "n": 2\n}' },
      ],
    ],
  ])("a prompt of %s", (_name, messages, read) => {
    expect(readMessages(messages)).toEqual(read);
  });

  test.each([
    [{}, null],
    [{ instructions: "Own" }, "Own"],
    [{ messages: [{ parts: [] }, { instructions: "Of a message" }] }, "Of a message"],
    [{ instructions: "Own", messages: [{ instructions: "Of a message" }] }, "Own"],
  ])("instructions of %j are %j", (payload, instructions) => {
    expect(readInstructions(payload)).toBe(instructions);
  });

  test("the events of a test are those of a session", () => {
    expect(sessionEvents.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
