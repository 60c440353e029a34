// @vitest-environment jsdom
import { QueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { anchoredField, fieldAnchor } from "@/features/entities/lib/anchor";
import { createAppRouter } from "@/router";
import pages from "../../../../../cases/pages.json";
import { dimensionLook } from "./dimensions";
import { splitReason } from "./reason";
import { gradeImportance, isOpen, percent } from "./runs";
import { suiteSearch } from "./search";

test("the server knows every page that needs no id, and no other", () => {
  const { routesByPath } = createAppRouter(new QueryClient());
  const paths = Object.keys(routesByPath)
    .map((path) => (path === "/" ? path : path.replace(/\/$/, "")))
    .filter((path) => !path.includes("$") && !["/sign-in", "/reset", "/join"].includes(path));
  expect([...new Set(paths)].sort()).toEqual(pages);
});

test.each([
  [0, 0, null],
  [0, 5, 0],
  [5, 5, 100],
  [1, 1000, 1],
  [999, 1000, 99],
  [4, 5, 80],
])("percent(%i, %i)", (part, whole, share) => {
  expect(percent(part, whole)).toBe(share);
});

test.each([
  [1, "Fix first"],
  [0.25, "Fix first"],
  [0.2, "Fix first"],
  [0.1, "Fix next"],
  [0.02, "Polish"],
  [0, "Polish"],
])("a gap of importance %f: %s", (importance, label) => {
  expect(gradeImportance(importance).label).toBe(label);
});

test("a run is open while it waits or runs", () => {
  expect((["queued", "running", "done", "failed", "cancelled"] as const).map((status) => isOpen({ status }))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(isOpen(null)).toBe(false);
});

test("what could not be judged has no dimension", () => {
  expect(dimensionLook(null).label).toBe("Not judged");
  expect(dimensionLook("tenant_isolation").label).toBe("Workspace");
});

test.each([
  ["`a` is empty", [["a", true], [" is empty", false]]],
  ["no name", [["no name", false]]],
  ["a lone ` stays", [["a lone ` stays", false]]],
  ["", []],
])("splitReason(%s)", (reason, parts) => {
  expect(splitReason(reason).map(({ text, isName }) => [text, isName])).toEqual(parts);
});

describe("the address of a suite", () => {
  test.each([
    [{}, {}],
    [{ show: "passed", dimension: "actionability" }, { show: "passed", dimension: "actionability" }],
    [{ show: "none", dimension: "x", run: "7" }, {}],
  ])("%j", (given, understood) => {
    expect(v.parse(suiteSearch, given)).toEqual(understood);
  });
});

test.each([
  ["field-steps", "steps"],
  ["field-escalation.contact", "escalation"],
  ["field-a.b", "a.b"],
  ["field-escalation%2Econtact", "escalation"],
  ["field-%", undefined],
  ["field-gone", undefined],
  ["steps", undefined],
  ["", undefined],
])("the field of #%s", (hash, field) => {
  expect(anchoredField(hash, ["steps", "escalation", "a.b"])).toBe(field);
  if (field) expect(anchoredField(fieldAnchor(field), [field])).toBe(field);
});
