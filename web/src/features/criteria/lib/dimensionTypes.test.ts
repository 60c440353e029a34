import { expect, test } from "vitest";
import type { Dimension } from "@/api/types";
import { DIMENSION_TYPES, isNumeric, typeRow } from "./dimensionTypes";

const choice: Dimension = { key: "x", label: "X", type: "select", options: ["true", "false"], required: false };

test("the types are offered in this order", () => {
  expect(DIMENSION_TYPES.map((type) => typeRow(type).label)).toEqual(["Rating", "Number", "Choice", "Text", "Long text"]);
  expect(DIMENSION_TYPES.filter(isNumeric)).toEqual(["rating", "number"]);
});

test("a yes or no is shown as the record would hold it", () => {
  expect(typeRow("select").inRecord("true", choice)).toBe(true);
  expect(typeRow("select").inRecord("true", { ...choice, options: ["true", "false", "maybe"] })).toBe("true");
  expect(typeRow("text").inRecord("true", { ...choice, type: "text" })).toBe("true");
});
