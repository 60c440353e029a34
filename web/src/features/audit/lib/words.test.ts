import { expect, test } from "vitest";
import { isNarrowed, toQuery } from "./search";
import { inWords, valueInWords, wayOf, whoOf } from "./words";

test.each([
  ["member.changed", "Member changed"],
  ["extraction/result-rejected", "Extraction result rejected"],
  ["response.promotion_undone", "Response promotion undone"],
  ["", ""],
])("the event %s is read as %s", (name, words) => {
  expect(inWords(name)).toBe(words);
});

test("who did it is said also of those who are gone", () => {
  expect(whoOf({ actor: { kind: "system", id: null, name: "system" } })).toBe("System");
  expect(whoOf({ actor: { kind: "user", id: "a", name: "Ada" } })).toBe("Ada");
  expect(whoOf({ actor: { kind: "user", id: "a", name: null } })).toBe("Somebody who is gone");
  expect(whoOf({ actor: { kind: "agent", id: "a", name: null } })).toBe("An agent that is gone");
});

test("with what and from where", () => {
  expect(wayOf({ via: "key", key: { id: "k", name: "ops" }, address: "192.0.2.7" })).toBe("Key ops, 192.0.2.7");
  expect(wayOf({ via: "key", key: { id: "k", name: null }, address: null })).toBe("Key that is gone");
  expect(wayOf({ via: "page", key: null, address: "::1" })).toBe("Signed in, ::1");
  expect(wayOf({ via: "background", key: null, address: null })).toBe("In the background");
});

test.each([
  ["viewer", true, "viewer"],
  [null, true, "null"],
  [null, false, "nothing"],
  [[1], true, "[\n  1\n]"],
])("the value %s, present %s, is read as %s", (value, present, words) => {
  expect(valueInWords(value, present)).toBe(words);
});

test("an address is asked of the server as it says", () => {
  const now = new Date("2026-02-01T10:00:00Z");
  expect(toQuery({}, now)).toEqual({});
  expect(toQuery({ name: "member.changed", kind: "user", days: 7, entry: "x" }, now)).toEqual({
    name: ["member.changed"],
    actor_kind: "user",
    since: "2026-01-25T00:00:00Z",
  });
  expect([isNarrowed({}), isNarrowed({ entry: "x" }), isNarrowed({ topic: "keys" })]).toEqual([false, false, true]);
});
