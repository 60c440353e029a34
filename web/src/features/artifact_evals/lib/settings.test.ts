import { expect, test } from "vitest";
import { DIMENSIONS } from "./dimensions";
import { checkReasons, reasonsOf, settingsOf, toLeftOut } from "./settings";

const suite = {
  added: true,
  left_out: [
    { dimension: "actionability" as const, reason: "only read", declared_by: "suite" as const },
    { dimension: "workspace_renderability" as const, reason: "in the terminal", declared_by: "workspace" as const },
  ],
};

test("what the workspace leaves out is its own to change; what the suite leaves out is not sent back", () => {
  expect(reasonsOf(suite, "workspace")).toEqual({ workspace_renderability: "in the terminal" });
  expect(reasonsOf(suite, "suite")).toEqual({ actionability: "only read" });
  expect(settingsOf(suite)).toEqual({
    added: true,
    left_out: [{ dimension: "workspace_renderability", reason: "in the terminal" }],
  });
});

test("reasons are sent in the order of the dimensions, without blanks around them", () => {
  expect(toLeftOut({ tenant_isolation: " b ", source_grounding: "a" })).toEqual([
    { dimension: "source_grounding", reason: "a" },
    { dimension: "tenant_isolation", reason: "b" },
  ]);
  expect(toLeftOut({})).toEqual([]);
});

test.each([
  [{}, {}, [], false],
  [{ actionability: "x" }, {}, [], false],
  [{ actionability: " " }, {}, ["actionability"], false],
  [Object.fromEntries(DIMENSIONS.map((each) => [each, "x"])), {}, [], true],
  [Object.fromEntries(DIMENSIONS.slice(1).map((each) => [each, "x"])), { source_grounding: "y" }, [], true],
])("checkReasons(%j, %j)", (reasons, fixed, blank, isNothingLeft) => {
  expect(checkReasons(reasons, fixed)).toEqual({ blank, isNothingLeft });
});
