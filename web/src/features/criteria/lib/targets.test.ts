import { expect, test } from "vitest";
import { cases, dimensions, schema } from "../../../../../cases/field_values.json";
import type { Dimension, EntityType } from "@/api/types";
import { company } from "@/testing/records";
import { checkTargets, findTargets } from "./targets";
import { checkValues } from "./values";

const asked = dimensions as unknown as Dimension[];
const contract: EntityType = { ...company, json_schema: schema, field_configs: { notice_days: { unit: "days" } } };
const targets = findTargets(asked, contract);

test.each(cases)("$case", ({ values, faults }) => {
  const found = [...checkValues(values, asked), ...checkTargets(values, asked, targets)];
  expect(found.map(({ path, code }) => [path, code])).toEqual(faults);
});

test("a target has what its field says, by fieldName or by key", () => {
  expect(targets.get("begins")).toMatchObject({ key: "start_date", rules: { format: "date" } });
  expect(targets.get("notice_days")?.unit).toBe("days");
  expect(targets.has("elsewhere")).toBe(false);
  expect(targets.has("opinion")).toBe(false);
  expect(findTargets(asked, undefined).size).toBe(0);
});
