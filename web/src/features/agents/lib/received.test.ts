import { expect, test } from "vitest";
import type { AgentSession } from "@/api/types";
import { otlpSource } from "@/testing/agents";
import { leftOutLabel, newSessions, newSpans, settingsIn, shareText } from "./received";

const of = (service: string, spans: number) => ({ ...otlpSource, service, spans });

test.each([
  ["nothing", [], [], []],
  ["the same", [of("a", 3)], [of("a", 3)], []],
  ["a first source", [], [of("a", 3)], [["a", 3]]],
  ["more of one", [of("a", 3), of("b", 1)], [of("a", 3), of("b", 5)], [["b", 4]]],
  ["two, the larger first", [of("a", 1)], [of("a", 2), of("b", 9)], [["b", 9], ["a", 1]]],
  ["fewer, as when spans are forgotten", [of("a", 3)], [of("a", 1)], []],
])("new spans: %s", (_, before, now, found) => {
  expect(newSpans(before, now).map(({ source, spans }) => [source.service, spans])).toEqual(found);
});

test("sources differ by instrumentation and SDK as well", () => {
  const other = { ...of("a", 2), sdk: "nodejs" };
  expect(newSpans([of("a", 2)], [of("a", 2), other])).toEqual([{ source: other, spans: 2 }]);
});

const session = (id: string, events: number, created_at: string) => ({ id, events, created_at }) as AgentSession;
const [old, mid, fresh] = [session("o", 3, "2026-01-01"), session("m", 3, "2026-01-02"), session("f", 1, "2026-01-03")];

test.each<[string, AgentSession[], AgentSession[], number, string[]]>([
  ["nothing", [], [], 2, []],
  ["a first one", [], [fresh], 2, ["f"]],
  ["a new one", [mid, old], [fresh, mid], 2, ["f"]],
  ["one that went on", [mid, old], [{ ...mid, events: 5 }, old], 2, ["m"]],
  ["an old one that moved up", [fresh, mid], [fresh, old], 2, []],
  ["an old one that came late to a short list", [fresh], [fresh, old], 2, ["o"]],
])("new sessions: %s", (_, before, now, limit, found) => {
  expect(newSessions(before, now, limit).map(({ id }) => id)).toEqual(found);
});

test.each([
  [0, 0, "–"],
  [0, 4, "0 of 4"],
  [1200, 1200, "1,200 of 1,200"],
])("%d of %d is %s", (has, of_, text) => {
  expect(shareText(has, of_)).toBe(text);
});

test.each([
  ["Set `A=1` and `B=2`, or leave both unset", "A=1\nB=2"],
  ["Leave them on", null],
  ["", null],
])("of %j one copies %j", (how, settings) => {
  expect(settingsIn(how)).toBe(settings);
});

test("what is left out has a name, also what is newer than the page", () => {
  expect(["content", "session", "user", "tools"].map(leftOutLabel)).toEqual(["What was said", "Session", "User", "tools"]);
});
