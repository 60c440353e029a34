import { expect, test } from "vitest";
import { ACTS, PAGES, matching } from "./commands";

const all = () => true;
const names = (typed: string, can = all as (permission: string) => boolean) =>
  matching([...PAGES, ...ACTS], typed, can).map(({ name }) => name);

test.each([
  ["crit", ["Criteria sets", "New criteria set"]],
  ["new crit", ["New criteria set"]],
  ["create record", ["New record"]],
  ["invite", ["New member"]],
  ["key", ["API keys", "New key"]],
  ["log out", ["Sign out"]],
  ["xyz", []],
])("%s offers %j", (typed, offered) => {
  expect(names(typed)).toEqual(offered);
});

test("without anything typed all are there, and without a permission none that needs it", () => {
  expect(names("  ")).toHaveLength(PAGES.length + ACTS.length);
  expect(names("new", () => false)).toEqual([]);
  expect(names("sign", () => false)).toEqual(["Sign out"]);
});
