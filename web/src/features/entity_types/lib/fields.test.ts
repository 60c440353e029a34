import { expect, test } from "vitest";
import { company } from "@/testing/records";
import { chooseFields, humanize, listFields, listRelationFields } from "./fields";

function kindOf(rules: object, config: object = {}) {
  const type = { ...company, json_schema: { properties: { x: rules }, $defs: { age: { type: "integer" } } } };
  return listFields({ ...type, field_configs: { x: config } })[0]?.kind;
}

test.each([
  [{ type: "string" }, "text"],
  [{ type: "string", maxLength: 4000 }, "longtext"],
  [{ type: "string", format: "date" }, "date"],
  [{ type: "string", format: "uri" }, "url"],
  [{ type: "number" }, "number"],
  [{ type: ["integer", "null"] }, "integer"],
  [{ $ref: "#/$defs/age" }, "integer"],
  [{ $ref: "#/$defs/none" }, "json"],
  [{ $ref: "https://elsewhere.example/x" }, "json"],
  [{ anyOf: [{ type: "boolean" }, { type: "null" }] }, "boolean"],
  [{ anyOf: [{ type: "boolean" }, { type: "string" }] }, "json"],
  [{ enum: ["a", 1, null] }, "enum"],
  [{ type: "array", items: { type: "string" } }, "texts"],
  [{ type: "array", items: { type: "number" } }, "json"],
  [{ type: "object" }, "json"],
  [{}, "json"],
])("%j is edited as %s", (rules, kind) => {
  expect(kindOf(rules)).toBe(kind);
});

test("a widget for long text wins over a short one", () => {
  expect(kindOf({ type: "string" }, { widget: "richtext" })).toBe("longtext");
});

test("a reference to itself ends", () => {
  const json_schema = { properties: { x: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } };
  expect(listFields({ ...company, json_schema, field_configs: {} })[0]?.kind).toBe("json");
});

test("labels come from the config, the schema or the key, and relations are no fields", () => {
  expect(listFields(company).map(({ key, label, required }) => [key, label, required])).toEqual([
    ["name", "Legal name", true],
    ["revenue", "Revenue (USD m)", false],
    ["listedOn", "Listed on", false],
  ]);
  expect(listRelationFields(company)).toEqual([
    { key: "founders", label: "Founders", targetType: "person", multiple: true },
  ]);
});

test("a type without properties has no fields", () => {
  expect(listFields({ ...company, json_schema: {} })).toEqual([]);
});

test("named fields keep their order; otherwise content beyond the schema is shown too", () => {
  expect(chooseFields(company, {}, ["revenue", "name"]).map(({ key }) => key)).toEqual(["revenue", "name"]);
  expect(chooseFields(company, { extra_note: 1 }).map(({ label }) => label)).toContain("Extra note");
});

test.each([
  ["net_revenue", "Net revenue"],
  ["netRevenue", "Net revenue"],
  ["_", "_"],
  ["URL", "Url"],
])("%s is %s", (key, label) => {
  expect(humanize(key)).toBe(label);
});
