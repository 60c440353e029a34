import { expect, test } from "vitest";
import type { Entity } from "@/api/types";
import { toTable } from "./table";

const entity = { id: "1", type: "deal", title: "Acme", score: null, updated_at: "2026-01-01T00:00:00Z" };

test("records become rows with a column for each field", () => {
  const content = { price: 3, tags: ["a", "b"], active: false };
  const rows = toTable([{ ...entity, content } as unknown as Entity], [{ key: "price" }, { key: "tags" }, { key: "active" }, { key: "none" }]);
  expect(rows).toEqual([
    ["id", "type", "title", "score", "updated_at", "price", "tags", "active", "none"],
    ["1", "deal", "Acme", null, "2026-01-01T00:00:00Z", 3, "a, b", "No", null],
  ]);
});

test("no record is a table of a head alone", () => {
  expect(toTable([], [])).toEqual([["id", "type", "title", "score", "updated_at"]]);
});
