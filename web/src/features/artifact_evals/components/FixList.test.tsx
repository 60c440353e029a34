import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ArtifactEvalResult } from "@/api/types";
import { renderAt } from "@/testing/renderAt";
import { FixList } from "./FixList";

const id = "0190a000-0000-7000-8000-000000000009";
const weak: ArtifactEvalResult = {
  entity_id: id,
  title: "A warmer tone",
  passed: false,
  overall: 0.53,
  scores: {},
  gaps: [
    {
      dimension: "safety_human_gate",
      check: "require_safety_label",
      fields: ["decided_by_kind"],
      reason: "`decided_by_kind` does not say that a person reviewed it",
      score: 0,
      importance: 0.25,
    },
    { dimension: null, check: "adapter", fields: [], reason: "the adapter crashed", score: null, importance: 1 },
  ],
};

test("a gap says its dimension, why and how soon, and leads to the field", async () => {
  await renderAt(`/records/${id}`, <FixList results={[weak]} />, []);
  const [first, second] = within(screen.getByRole("list", { name: "Gaps of A warmer tone" })).getAllByRole("listitem");
  expect(first?.textContent).toContain("Safety gate");
  expect(first?.textContent).toContain("Fix first, importance 0.25");
  expect(screen.getByText("decided_by_kind", { selector: "code" })).toBeTruthy();
  const field = screen.getByRole("link", { name: "Go to decided_by_kind" });
  expect(field.getAttribute("href")).toBe(`/records/${id}?view=_all#field-decided_by_kind`);
  expect(screen.getByRole("link", { name: "A warmer tone" }).getAttribute("href")).toBe(`/records/${id}`);
  expect(second?.textContent).toContain("Not judged");
});

test("a record that passes says so", async () => {
  await renderAt(`/records/${id}`, <FixList results={[{ ...weak, passed: true, overall: null, gaps: [] }]} />, []);
  expect(screen.getByText("Passes every dimension.")).toBeTruthy();
  expect(screen.getByText("No score")).toBeTruthy();
});
