import { expect, test } from "vitest";
import { cases } from "../../../../../cases/long_text.json";
import { company } from "@/testing/records";
import { readField } from "./fieldDraft";
import { listFields } from "./fields";

test.each(cases)("$case", ({ rules, config, long }) => {
  const type = { ...company, json_schema: { properties: { x: rules } }, field_configs: { x: config } };
  expect(listFields(type).map(({ kind }) => kind)).toEqual([long ? "longtext" : "text"]);
  expect(readField("x", rules, config, false).kind).toBe(long ? "long_text" : "text");
});
