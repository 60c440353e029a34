import { expect, test } from "vitest";
import { countFound, countKept, countRows, nameTable, readDays } from "./words";

test.each([
  ["conversation", 1, "1 conversation"],
  ["conversation", 2000, "2,000 conversations"],
  ["golden", 1, "1 golden, which is revoked"],
  ["something_new", 3, "3 something_new"],
])("%s %d is %s", (kind, count, text) => {
  expect(countFound(kind, count)).toBe(text);
});

test.each([
  ["sessions", 0, "0 sessions"],
  ["sessions", 1, "1 session"],
  ["events", 2000, "2,000 events"],
])("of %s, %d are %s", (what, count, text) => {
  expect(countKept(what, count)).toBe(text);
});

test("one of what has another word for many is called by its own", () => {
  expect(countKept("bodies of traces", 1, "body of a trace")).toBe("1 body of a trace");
  expect(countKept("bodies of traces", 2, "body of a trace")).toBe("2 bodies of traces");
});

test("rows are counted over all tables", () => {
  expect(countRows({ gone: {} })).toBe(0);
  expect(countRows({ gone: { sessions: 2, "events (text)": 3 } })).toBe(5);
});

test("a table whose rows stay is told apart", () => {
  expect(nameTable("events (text)")).toEqual({ table: "events", staysWithoutText: true });
  expect(nameTable("sessions")).toEqual({ table: "sessions", staysWithoutText: false });
});

test("an empty number of days is for ever", () => {
  expect(readDays("")).toBeNull();
  expect(readDays(30)).toBe(30);
});
