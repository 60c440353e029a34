import { expect, test } from "vitest";
import type { EntityType } from "@/api/types";
import type { FieldDraft } from "./fieldDraft";
import {
  EMPTY_TYPE,
  type TypeDraft,
  type TypeJson,
  checkFields,
  draftOfType,
  editType,
  placeAtFields,
  readFields,
  writeFields,
} from "./typeDraft";

const stored: TypeJson = {
  json_schema: {
    type: "object",
    required: ["name"],
    additionalProperties: false,
    $defs: { x: { type: "string" } },
    properties: {
      name: { type: "string", maxLength: 200, pattern: "^A" },
      revenue: { type: "number", minimum: 0 },
      employees: { type: "integer", minimum: 1, maximum: 10, title: "Staff" },
      public: { type: "boolean" },
      stage: { type: "string", enum: ["seed", "growth"] },
      founded: { type: "string", format: "date" },
      summary: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      nick: { type: ["string", "null"] },
    },
  },
  field_configs: {
    name: { description: "As registered" },
    revenue: { unit: "USD m" },
    summary: { label: "Summary", widget: "markdown" },
    vendors: { label: "Vendors", relation: { target_type: "vendor", multiple: true, relationship_type: "buys from" } },
  },
};

function draft(json: TypeJson = stored): TypeDraft {
  return draftOfType({ name: "Company", config: {}, ...json } as unknown as EntityType);
}

function changed(name: string, part: Partial<FieldDraft>, json: TypeJson = stored): TypeJson {
  const before = draft(json);
  const id = before.fields.find((field) => field.name === name)?.id ?? "";
  return writeFields(editType(before, { do: "changeField", id, part }));
}

function property(json: TypeJson, name: string): unknown {
  return (json.json_schema.properties as Record<string, unknown>)[name];
}

test("what was read is written as it was", () => {
  expect(writeFields(readFields(stored))).toEqual(stored);
  expect(writeFields(readFields(EMPTY_TYPE))).toEqual(EMPTY_TYPE);
});

test("a number has a unit; what becomes something else has none", () => {
  expect(changed("employees", { unit: " people " }).field_configs.employees).toEqual({ unit: "people" });
  expect(changed("revenue", { unit: "" }).field_configs.revenue).toBeUndefined();
  expect(changed("revenue", { kind: "text" }).field_configs.revenue).toBeUndefined();
});

test("each field is of its kind", () => {
  expect(draft().fields.map(({ name, kind }) => [name, kind])).toEqual([
    ["name", "text"],
    ["revenue", "number"],
    ["employees", "integer"],
    ["public", "boolean"],
    ["stage", "choice"],
    ["founded", "date"],
    ["summary", "long_text"],
    ["tags", "other"],
    ["nick", "other"],
    ["vendors", "relation"],
  ]);
});

test.each([
  { name: "revenue", part: { kind: "date" }, schema: { type: "string", format: "date" } },
  { name: "revenue", part: { max: 5 }, schema: { type: "number", minimum: 0, maximum: 5 } },
  { name: "name", part: { kind: "choice", options: ["a", " b ", ""] }, schema: { type: "string", enum: ["a", "b"] } },
  { name: "stage", part: { options: ["seed"] }, schema: { type: "string", enum: ["seed"] } },
  { name: "employees", part: { label: "Heads" }, schema: { type: "integer", minimum: 1, maximum: 10 } },
  { name: "vendors", part: { kind: "text" }, schema: { type: "string" } },
] as const)("$name with $part is $schema", ({ name, part, schema }) => {
  expect(property(changed(name, part as Partial<FieldDraft>), name)).toEqual(schema);
});

test("long text asks for a wide input, and no longer when it is text again", () => {
  const long = changed("founded", { kind: "long_text" });
  expect(long.field_configs.founded).toEqual({ widget: "markdown" });
  expect(changed("summary", { kind: "text" }).field_configs.summary).toEqual({ label: "Summary" });
});

test("a relation has a config and no property", () => {
  const json = changed("public", { kind: "relation", targetType: "person" });
  expect(json.field_configs.public).toEqual({ relation: { target_type: "person", multiple: false } });
});

test("required follows the field through a new name", () => {
  expect(changed("name", { name: "title" }).json_schema.required).toEqual(["title"]);
});

test("a name follows the label until it is chosen", () => {
  const added = editType(draft(), { do: "add" });
  const id = added.fields.at(-1)?.id ?? "";
  const named = editType(added, { do: "changeField", id, part: { label: "Head Office" } });
  expect(named.fields.at(-1)?.name).toBe("head_office");
});

test("faults the server could not see", () => {
  const [name] = draft().fields;
  const fields = [name, { ...name, kind: "choice" }, { ...name, name: " ", kind: "relation" }] as FieldDraft[];
  expect(checkFields(fields).map(({ path, code }) => [path, code])).toEqual([
    ["/fields/1/name", "duplicate_name"],
    ["/fields/1/options", "options_missing"],
    ["/fields/2/name", "empty_name"],
    ["/fields/2/target_type", "missing"],
  ]);
});

test.each([
  ["/json_schema/properties/stage/enum", "/fields/4/options"],
  ["/json_schema/properties/name/pattern", "/fields/0/name"],
  ["/field_configs/vendors/relation/target_type", "/fields/9/target_type"],
  ["/json_schema/type", "/json_schema/type"],
])("%s is said at %s", (path, place) => {
  const [placed] = placeAtFields([{ path, code: "x", message: "x" }], draft().fields);
  expect(placed?.path).toBe(place);
});
