import { expect, test } from "vitest";
import cases from "../../../../../cases/record_table.json";
import type { Entity } from "@/api/types";
import { toTable } from "./table";

const HEAD = ["id", "type", "title", "score", "created_at", "updated_at"];
const entity = {
  id: "1",
  type: "deal",
  title: "Acme",
  score: null,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
};

test.each(cases)("$value becomes $cell", ({ value, cell }) => {
  const rows = toTable([{ ...entity, content: { field: value } } as unknown as Entity], [{ key: "field" }, { key: "none" }]);
  expect(rows).toEqual([
    [...HEAD, "field", "none"],
    ["1", "deal", "Acme", null, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", cell, null],
  ]);
});

test("no record is a table of a head alone", () => {
  expect(toTable([], [])).toEqual([HEAD]);
});
