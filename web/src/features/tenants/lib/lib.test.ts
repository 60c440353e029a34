// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { curlExample } from "./curl";
import { checkCustomDate, expiresAt } from "./expiry";
import { forgetInvite, inviteLink, keepInvite, keptInvite, readInviteToken } from "./invite";
import { safeNext } from "./next";
import { allows, covers } from "./permissions";
import { addedGrants, grantableRoles } from "./roles";
import { isSlug, slugify } from "./slug";
import { pickWorkspace } from "./workspaceChoice";

test.each([
  ["*.team.read", "keys.team.read", true],
  ["*.team.read", "keys.team.manage", false],
  ["keys.team.manage", "keys.team.manage", true],
  ["keys.*.manage", "keys.team.manage", true],
  ["*.*.*", "keys.team.manage", true],
  ["*", "keys.team.manage", true],
  ["keys.team", "keys.team.manage", false],
  ["key.team.manage", "keys.team.manage", false],
  ["", "keys.team.manage", false],
])("grant %s covers %s: %s", (grant, permission, covered) => {
  expect(covers(grant, permission)).toBe(covered);
});

test("no grants allow nothing", () => {
  expect(allows([], "keys.team.read")).toBe(false);
});

test.each([
  [undefined, "/"],
  ["", "/"],
  ["/settings/keys?status=active", "/settings/keys?status=active"],
  ["https://evil.example", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/sign-in?next=/x", "/"],
  ["/join", "/join"],
])("after signing in, %s leads to %s", (next, path) => {
  expect(safeNext(next)).toBe(path);
});

describe("expiry", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  test.each([
    ["never", null],
    ["30", "2026-03-31T12:00:00.000Z"],
    ["365", "2027-03-01T12:00:00.000Z"],
  ] as const)("%s is %s", (choice, moment) => {
    expect(expiresAt(choice, "", now)).toBe(moment);
  });
  test("a chosen day counts to its end", () => {
    const moment = expiresAt("custom", "2026-04-01", now);
    expect(new Date(moment ?? "").getTime()).toBe(new Date("2026-04-01T23:59:59").getTime());
  });
  test.each([
    ["", "Choose a date"],
    ["2026-02-01", "Choose a date that is still to come"],
    ["2026-04-01", null],
  ])("the day %j is answered by %j", (day, sentence) => {
    expect(checkCustomDate(day, now)).toBe(sentence);
  });
});

test.each([
  ["Support bot", "support-bot"],
  ["  Évaluation — Zürich!  ", "evaluation-zurich"],
  ["---", ""],
  ["", ""],
  ["a".repeat(80), "a".repeat(63)],
])("the slug of %j is %j", (name, slug) => {
  expect(slugify(name)).toBe(slug);
});

test.each([
  ["support-bot", true],
  ["7", true],
  ["a".repeat(63), true],
  ["a".repeat(64), false],
  ["-bot", false],
  ["Bot", false],
  ["my bot", false],
  ["", false],
])("%j is a slug: %s", (text, valid) => {
  expect(isSlug(text)).toBe(valid);
});

test.each([
  ["#token=abc", "abc"],
  ["token=a%2Bb", "a+b"],
  ["#token=", null],
  ["#other=1", null],
  ["", null],
])("the invite token in %j is %j", (hash, token) => {
  expect(readInviteToken(hash)).toBe(token);
});

test("an invite link is read back", () => {
  const link = inviteLink("https://gold.example", "a+b/c=");
  expect(readInviteToken(new URL(link).hash)).toBe("a+b/c=");
});

test("an invitation is kept in this tab until it is used", () => {
  expect(keptInvite()).toBeNull();
  keepInvite("secret");
  expect([keptInvite(), sessionStorage.length, localStorage.length]).toEqual(["secret", 1, 0]);
  forgetInvite();
  expect([keptInvite(), sessionStorage.length]).toEqual([null, 0]);
});

test("nobody hands out a role above their own", () => {
  expect(grantableRoles("reviewer")).toEqual(["viewer", "contributor", "reviewer"]);
});

test.each([
  ["none", [], []],
  ["the first role adds all it has", [["a"]], [["a"]]],
  ["later ones what is new", [["a"], ["a", "b"], ["c"]], [["a"], ["b"], ["c"]]],
  ["nothing new", [["a"], ["a"]], [["a"], []]],
])("added grants: %s", (_name, grants, added) => {
  const roles = grants.map((each) => ({ grants: each }));
  expect(addedGrants(roles).map((role) => role.grants)).toEqual(added);
});

describe("pickWorkspace", () => {
  const one = { slug: "one" };
  const two = { slug: "two" };
  test.each([
    ["the chosen one", [one, two], "two", two],
    ["the first without a choice", [one, two], null, one],
    ["the first when the choice is gone", [one], "two", one],
    ["none", [], "one", null],
  ])("%s", (_name, workspaces, slug, picked) => {
    expect(pickWorkspace(workspaces, slug)).toBe(picked);
  });
});

test("the curl example carries the key", () => {
  expect(curlExample("https://gold.example", "gl_1")).toBe(
    'curl -H "Authorization: Bearer gl_1" https://gold.example/api/workspace',
  );
});
