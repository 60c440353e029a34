import { describe, expect, test } from "vitest";
import { type Move, type Position, commandFor, isStillTyping, move, settle } from "./listKeys";

const stops = [
  { id: "a", keys: ["x", "y"] },
  { id: "b", keys: [] },
  { id: "c", keys: ["z"] },
];
const at = (text: string | null): Position | null => {
  if (text === null) return null;
  const [id = "", key] = text.split(".");
  return { id, key: key ?? null };
};

describe("move", () => {
  test.each<[string | null, Move, string]>([
    [null, "next", "a.x"],
    [null, "nextItem", "a.x"],
    ["a.x", "next", "a.y"],
    ["a.y", "next", "b"],
    ["b", "next", "c.z"],
    ["c.z", "next", "c.z"],
    ["a.x", "previous", "a.x"],
    ["b", "previous", "a.y"],
    ["a.y", "nextItem", "b"],
    ["b", "nextItem", "c.z"],
    ["c.z", "nextItem", "c.z"],
    ["c.z", "previousItem", "b"],
    ["a.y", "previousItem", "a.y"],
    ["a.y", "last", "c.z"],
    ["c.z", "first", "a.x"],
    ["gone.x", "next", "a.x"],
    ["gone.x", "previousItem", "a.x"],
  ])("from %s %s leads to %s", (from, how, to) => {
    expect(move(stops, at(from), how)).toEqual(at(to));
  });

  test("leads nowhere in an empty list", () => {
    expect(move([], null, "next")).toBeNull();
    expect(move([], at("a.x"), "nextItem")).toBeNull();
  });
});

describe("settle", () => {
  test.each([
    ["a.y", stops, "a.y"],
    ["a.gone", stops, "a.x"],
    ["b", [stops[0], stops[2]], "c.z"],
    ["c.z", [stops[0]], "a.x"],
    ["a.x", [stops[1], stops[2]], "b"],
  ])("at %s, when the list became %j, is %s", (from, after, to) => {
    expect(settle(stops, after.filter((stop) => stop !== undefined), at(from))).toEqual(at(to));
  });

  test("nothing is left of an empty list", () => {
    expect(settle(stops, [], at("a.x"))).toBeNull();
    expect(settle([], stops, null)).toEqual(at("a.x"));
  });
});

const plain = { ctrlKey: false, metaKey: false, altKey: false };
const acts = { p: "promote", r: "reject", "1": "first" };

test.each([
  ["j", { move: "nextItem" }],
  ["J", { move: "nextItem" }],
  ["k", { move: "previousItem" }],
  ["ArrowDown", { move: "next" }],
  ["Home", { move: "first" }],
  ["p", { act: "promote" }],
  ["R", { act: "reject" }],
  ["1", { act: "first" }],
  ["2", null],
  ["?", { help: true }],
  ["Tab", null],
  ["Enter", null],
  ["x", null],
  ["constructor", null],
])("%s means %j", (key, command) => {
  expect(commandFor({ ...plain, key }, acts)).toEqual(command);
});

test.each(["ctrlKey", "metaKey", "altKey"])("with %s a key is the browser's own", (modifier) => {
  expect(commandFor({ ...plain, [modifier]: true, key: "r" }, acts)).toBeNull();
});

test.each([
  [Number.NEGATIVE_INFINITY, 0, false],
  [1000, 1100, true],
  [1000, 1399, true],
  [1000, 1400, false],
])("typed at %d, pressed at %d: still typing is %s", (typedAt, pressedAt, typing) => {
  expect(isStillTyping(typedAt, pressedAt)).toBe(typing);
});

test.each([
  ["p", false, "promote"],
  ["P", true, "all"],
  ["P", false, "promote"], // Caps Lock
  ["R", true, "reject"], // a capital without a meaning of its own
])("%s, with Shift held: %s, does %s", (key, shiftKey, act) => {
  expect(commandFor({ ...plain, key, shiftKey }, { ...acts, P: "all" })).toEqual({ act });
});
