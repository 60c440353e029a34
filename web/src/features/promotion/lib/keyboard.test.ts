import { describe, expect, test } from "vitest";
import { type Move, type Position, commandFor, move, settle } from "./keyboard";

const stops = [
  { responseId: "a", keys: ["x", "y"] },
  { responseId: "b", keys: [] },
  { responseId: "c", keys: ["z"] },
];
const at = (text: string | null): Position | null => {
  if (text === null) return null;
  const [responseId = "", key] = text.split(".");
  return { responseId, key: key ?? null };
};

describe("move", () => {
  test.each<[string | null, Move, string]>([
    [null, "next", "a.x"],
    [null, "nextResponse", "a.x"],
    ["a.x", "next", "a.y"],
    ["a.y", "next", "b"],
    ["b", "next", "c.z"],
    ["c.z", "next", "c.z"],
    ["a.x", "previous", "a.x"],
    ["b", "previous", "a.y"],
    ["a.y", "nextResponse", "b"],
    ["b", "nextResponse", "c.z"],
    ["c.z", "nextResponse", "c.z"],
    ["c.z", "previousResponse", "b"],
    ["a.y", "previousResponse", "a.y"],
    ["a.y", "last", "c.z"],
    ["c.z", "first", "a.x"],
    ["gone.x", "next", "a.x"],
    ["gone.x", "previousResponse", "a.x"],
  ])("from %s %s leads to %s", (from, how, to) => {
    expect(move(stops, at(from), how)).toEqual(at(to));
  });

  test("leads nowhere in an empty list", () => {
    expect(move([], null, "next")).toBeNull();
    expect(move([], at("a.x"), "nextResponse")).toBeNull();
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

test.each([
  ["j", { move: "nextResponse" }],
  ["J", { move: "nextResponse" }],
  ["k", { move: "previousResponse" }],
  ["ArrowDown", { move: "next" }],
  ["p", { act: "promote" }],
  ["a", { act: "promoteAll" }],
  ["r", { act: "reject" }],
  ["?", { act: "help" }],
  ["Tab", null],
  ["Enter", null],
  ["x", null],
])("%s means %j", (key, command) => {
  expect(commandFor({ ...plain, key })).toEqual(command);
});

test.each(["ctrlKey", "metaKey", "altKey"])("with %s a key is the browser's own", (modifier) => {
  expect(commandFor({ ...plain, [modifier]: true, key: "r" })).toBeNull();
});
