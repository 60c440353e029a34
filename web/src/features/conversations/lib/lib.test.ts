import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { byMachine, byUser, conversation, laterTurn, measured, report, transcript, turn } from "@/testing/conversations";
import { draftReaction, findOwn, withOwn } from "./ownReaction";
import { bounds } from "./period";
import { confidenceFigure, gateOf, likeness, nameOf, readFrom, sureness, whyThisTurn } from "./reactions";
import { answersOf, excerpt, turnExcerpt } from "./excerpts";
import { bucketFormat, conversationsOf, groupLabel, interval, nextBucket, toGroups, toPoints, withGaps } from "./satisfaction";
import {
  PARTS,
  conversationsSearch,
  findMoved,
  isNarrowed,
  noFilters,
  satisfactionSearch,
  searchOfPart,
  unclearSearch,
} from "./search";

describe("addresses", () => {
  test.each([
    [conversationsSearch, {}, {}],
    [conversationsSearch, { q: 2026, project: true, user: " ana " }, { q: "2026", project: "true", user: "ana" }],
    [conversationsSearch, { q: "  ", reaction: "great", origin: "robot", days: 8, start: "soon" }, {}],
    [
      conversationsSearch,
      { reaction: "not_ok", origin: "machine", days: 30, start: "2026-01-31", by: "agent" },
      { reaction: "not_ok", origin: "machine", days: 30, start: "2026-01-31" },
    ],
    [satisfactionSearch, { bucket: "year", by: "user", q: "order" }, {}],
    [satisfactionSearch, { bucket: "day", by: "agent", agent: "bot" }, { bucket: "day", by: "agent", agent: "bot" }],
    [unclearSearch, { project: "P", agent: "bot" }, { project: "P" }],
  ])("%#: %j means %j", (schema, said, meant) => {
    const read = v.parse(schema, said);
    expect(Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))).toEqual(meant);
  });

  test("clearing the filters leaves nothing that narrows", () => {
    const search = v.parse(conversationsSearch, { q: "a", user: "b", end: "2026-01-01" });
    expect(isNarrowed(search)).toBe(true);
    expect(isNarrowed({ ...search, ...noFilters() })).toBe(false);
  });

  test("another part is narrowed by what it knows", () => {
    const search = { q: "a", project: "P", agent: "bot", days: 7, by: "agent" };
    const [list, unclear, satisfaction] = PARTS;
    expect(searchOfPart(unclear, search)).toEqual({ project: "P" });
    expect(searchOfPart(list, search)).toEqual({ project: "P", agent: "bot", days: 7 });
    expect(searchOfPart(satisfaction, search)).toEqual({ project: "P", agent: "bot", days: 7 });
  });

  test.each([
    [{}, "/admin/agent-review/conversations", {}],
    [{ tab: "conversations", q: "x" }, "/admin/agent-review/conversations", { q: "x" }],
    [{ tab: "none", project: 2026 }, "/admin/agent-review/conversations", { project: "2026" }],
    [{ tab: "unclear", project: "P" }, "/admin/agent-review/conversations/unclear", { project: "P" }],
    [{ tab: "satisfaction", by: "agent" }, "/admin/agent-review/conversations/satisfaction", { by: "agent" }],
    [{ tab: "constructor" }, "/admin/agent-review/conversations", {}],
  ])("what was at %j is now at %s", (said, to, search) => {
    expect(findMoved(said)).toEqual({ to, search });
  });
});

describe("periods", () => {
  const now = new Date("2026-03-02T01:30:00Z");
  test.each([
    ["nothing is all time", {}, {}],
    ["days begin at midnight in UTC", { days: 7 as const }, { start: "2026-02-23T00:00:00Z" }],
    ["a day is over at its end", { end: "2026-01-31" }, { end: "2026-01-31T23:59:59.999999Z" }],
    [
      "chosen days count before the last so many",
      { days: 7 as const, start: "2026-01-01", end: "2026-01-01" },
      { start: "2026-01-01T00:00:00Z", end: "2026-01-01T23:59:59.999999Z" },
    ],
  ])("%s", (_name, period, wanted) => {
    expect(bounds(period, now)).toEqual(wanted);
  });
});

describe("one's own reaction", () => {
  const pages = { pages: [transcript], pageParams: [{}] };
  const draft = (reaction: "ok" | "not_ok") =>
    draftReaction({ id: "1", at: "2026-01-05T10:00:00Z", conversationId: conversation.id, turnId: "turn_1", userId: "me", reaction, text: null });

  test("is added beside those of others, replaced and cleared", () => {
    const added = withOwn(pages, "turn_1", "me", draft("ok"));
    expect(findOwn(added, "turn_1", "me")?.payload.reaction.reaction).toBe("ok");
    const replaced = withOwn(added, "turn_1", "me", draft("not_ok"));
    expect(replaced?.pages[0]?.turns[0]?.reactions).toEqual([byUser, byMachine, draft("not_ok")]);
    expect(withOwn(replaced, "turn_1", "me", undefined)).toEqual(pages);
  });

  test("that of an end user with the same id is somebody else's", () => {
    const theirs = { ...byUser, user_id: "me" };
    const read = { pages: [{ ...transcript, turns: [{ ...turn, reactions: [theirs] }] }], pageParams: [{}] };
    expect(findOwn(read, "turn_1", "me")).toBeUndefined();
    expect(withOwn(read, "turn_1", "me", draft("ok"))?.pages[0]?.turns[0]?.reactions).toEqual([theirs, draft("ok")]);
  });

  test("a machine's reaction and a turn that is not loaded are left alone", () => {
    const mine = { ...byMachine, user_id: "me" };
    const read = { pages: [{ ...transcript, turns: [{ ...turn, reactions: [mine] }] }], pageParams: [{}] };
    expect(findOwn(read, "turn_1", "me")).toBeUndefined();
    expect(withOwn(read, "turn_1", "me", undefined)).toEqual(read);
    expect(withOwn(pages, "gone", "me", draft("ok"))).toEqual(pages);
    expect(withOwn(undefined, "turn_1", "me", draft("ok"))).toBeUndefined();
  });
});

test("a member's reaction has the name that the server tells, also of one who has left", () => {
  const meta = { ...byUser.payload.meta, user_type: "member" as const };
  const theirs = { ...byUser, user_name: "Mara", payload: { ...byUser.payload, meta } };
  expect([theirs, { ...theirs, user_name: null }, byUser, { ...byUser, user_id: null }].map(nameOf)).toEqual([
    "Mara",
    "Somebody of the workspace",
    "cust-mina",
    "The end user",
  ]);
});

describe("what a turn is called", () => {
  test.each([
    ["", ""],
    ["# Title\n\n**bold** `code`", "Title bold code"],
    ["a".repeat(61), `${"a".repeat(60)}…`],
  ])("%j is %j", (text, words) => expect(excerpt(text)).toBe(words));

  test("by its question, else its answer, never by its id", () => {
    expect([turn, { ...turn, user: null }, { ...turn, user: " ", assistant: null }].map(turnExcerpt)).toEqual([
      "Where is my order?",
      "It arrives on Monday.",
      "empty",
    ]);
    expect(answersOf([turn]).get("turn_1")).toBe("It arrives on Monday.");
  });
});

describe("machine reactions", () => {
  test.each([
    [0.69, "Not sure", "69\u00a0%"],
    [0.7, "Fairly sure", "70\u00a0%"],
    [0.85, "Quite sure", "85\u00a0%"],
    [0.95, "Almost certain", "95\u00a0%"],
    [0.995, "Almost certain", "over 99\u00a0%"],
    [1, "Almost certain", "over 99\u00a0%"],
  ])("%f is %s, and the figure %s", (confidence, words, figure) => {
    expect([sureness(confidence), confidenceFigure(confidence)]).toEqual([words, figure]);
  });

  test.each([
    [-0.1, "Hardly alike"],
    [0.25, "A little alike"],
    [0.4, "Alike"],
    [0.6, "Very alike"],
  ])("a similarity of %f is %s", (similarity, words) => expect(likeness(similarity)).toBe(words));

  test("say what they were read from and why", () => {
    const gate = gateOf(byMachine);
    expect(gate?.message).toEqual({ conversation_id: "order-1", turn_id: "turn_2" });
    expect(gate && whyThisTurn(gate)).toBe("This turn is clearly the most alike.");
    expect(gate && whyThisTurn({ ...gate, settled_by: "user:1" })).toBe("A person said which turn is meant.");
    expect(gateOf(byUser)).toBeNull();
  });

  test("what cannot be understood of the reasons is left out", () => {
    const odd = { ...byMachine, payload: { ...byMachine.payload, gate: { candidates: "?", message: 1 } } };
    expect(gateOf(odd)).toMatchObject({ candidates: [], message: null, evidence: "" });
  });

  test("a message knows what it was read as, in its own conversation only", () => {
    const elsewhere = { ...byMachine, source_conversation_id: "other" };
    const turns = [{ ...turn, reactions: [byUser, byMachine, elsewhere] }, laterTurn];
    expect([...readFrom(turns, "order-1")]).toEqual([["turn_2", [byMachine]]]);
  });
});

describe("satisfaction", () => {
  test("points are of 100 and leave out what nobody said", () => {
    expect(toPoints([measured("2026-01-05T00:00:00Z", null, 1, 3), measured("2026-01-12T00:00:00Z", null, 0, 0)])).toEqual([
      { at: Date.parse("2026-01-05T00:00:00Z"), rate: 33.3, range: [16.7, 33.3], total: 3 },
    ]);
  });

  const week = (day: string, rate = 50) => ({ at: Date.parse(`2026-${day}T00:00:00Z`), rate, range: [rate, rate] as [number, number], total: 1 });

  test.each([
    ["nothing", [], []],
    ["one week", ["01-05"], ["alone"]],
    ["weeks on end", ["01-05", "01-12", "01-19"], ["joined", "joined", "joined"]],
    ["a week without reactions", ["01-05", "01-12", "01-26"], ["joined", "joined", "gap", "alone"]],
    ["months without reactions", ["01-05", "05-04", "05-11"], ["alone", "gap", "joined", "joined"]],
  ])("the line stops where nobody reacted: %s", (_name, days, drawn) => {
    const kinds = withGaps(days.map((day) => week(day)), "week").map((point) =>
      point.rate === null ? "gap" : point.alone ? "alone" : "joined",
    );
    expect(kinds).toEqual(drawn);
  });

  test.each([
    ["day", "2026-02-28", "2026-03-01"],
    ["week", "2026-03-23", "2026-03-30"], // over the change of the clocks
    ["month", "2026-12-01", "2027-01-01"],
    ["month", "2026-01-01", "2026-02-01"],
  ] as const)("after the %s of %s comes that of %s", (bucket, day, next) => {
    expect(new Date(nextBucket(Date.parse(day), bucket)).toISOString()).toBe(`${next}T00:00:00.000Z`);
  });

  test.each([
    [{}, null, { user_type: "end_user", reacted_start: "2026-01-05", reacted_end: "2026-01-11" }],
    [
      { project: "P", origin: "machine", user_type: "all", days: 30, by: "agent" } as const,
      { by: "agent", name: "bot" } as const,
      { project: "P", origin: "machine", agent: "bot", reacted_start: "2026-01-05", reacted_end: "2026-01-11" },
    ],
    [
      { user_type: "member" } as const,
      { by: "agent", name: null } as const,
      { user_type: "member", reacted_start: "2026-01-05", reacted_end: "2026-01-11" },
    ],
  ])("a week leads to its conversations: %j of %j", (search, group, wanted) => {
    expect(conversationsOf(week("01-05").at, report, search, group)).toEqual(wanted);
  });

  test("a week that the period cuts leads to the days that were counted", () => {
    const cut = { ...report, start: "2026-01-07T00:00:00Z", end: "2026-01-09T12:00:00Z" };
    expect(conversationsOf(week("01-05").at, cut, {})).toMatchObject({ reacted_start: "2026-01-07", reacted_end: "2026-01-09" });
  });

  test("groups stand by how much is known of them", () => {
    const grouped = {
      ...report,
      by: "agent" as const,
      overall: [measured(null, "a", 1, 1), measured(null, null, 2, 5), measured(null, "z", 0, 0)],
      data: [measured("2026-01-05T00:00:00Z", "a", 1, 1), measured("2026-01-05T00:00:00Z", null, 2, 5)],
    };
    expect(toGroups(grouped).map(({ name, points }) => [name, points.length])).toEqual([
      [null, 1],
      ["a", 1],
    ]);
  });

  test.each([
    [null, "agent", "No agent named"],
    ["machine", "origin", "Machine"],
    ["machine", "agent", "machine"],
  ] as const)("%s of %s is called %s", (name, by, label) => {
    expect(groupLabel(name, by)).toBe(label);
  });

  test("an interval is in words, and nothing where there is none", () => {
    expect(interval({ low: 0.436, high: 0.82 })).toBe("44 to 82\u00a0%");
    expect(interval({ low: null, high: null })).toBe("");
  });

  test("a bucket is named by its day in UTC, wherever one is", () => {
    const at = Date.parse("2026-01-05T00:00:00Z");
    expect(bucketFormat("week")(at)).toBe("5 Jan");
    expect(bucketFormat("week", true)(at)).toBe("Week of 5 Jan 2026");
    expect(bucketFormat("month")(at)).toBe("Jan 2026");
  });
});
