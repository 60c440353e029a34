import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import type { Dimension } from "@/api/types";
import { renderSignedIn } from "@/testing/render";
import type { Displayed } from "../lib/display";
import { CriteriaSetRenderer } from "./CriteriaSetRenderer";

const pain: Dimension = { key: "pain", label: "Pain", type: "rating", scale: [0, 4], required: true };
const sleep: Dimension = { key: "sleep", label: "Sleep", type: "number", required: false };
const mood: Dimension = { key: "mood", label: "Mood", type: "rating", scale: [1, 3], required: false };
const why: Dimension = { key: "why", label: "Why", type: "text", required: false };

function draw(criteriaSet: Displayed, errors: Record<string, string> = {}) {
  const seen = vi.fn();
  function Holder() {
    const [values, setValues] = useState<Record<string, unknown>>({});
    return (
      <CriteriaSetRenderer
        criteriaSet={criteriaSet}
        values={values}
        errors={errors}
        onChange={(key, value) => {
          seen(key, value);
          setValues((before) => ({ ...before, [key]: value }));
        }}
      />
    );
  }
  renderSignedIn(<Holder />);
  return { seen, user: userEvent.setup() };
}

const matrix: Displayed = {
  dimensions: [pain, sleep, mood, why],
  display_type: "likert-matrix",
  display_config: { scale: [0, 2], anchorLabels: { min: "None", mid: "Some", max: "All" } },
};

test("the list has an input for each type", () => {
  draw({
    dimensions: [
      pain,
      { ...sleep, scale: [0, 24], step: 0.5 },
      { key: "v", label: "Verdict", type: "select", options: ["keep", "drop"], required: true },
      why,
      { key: "essay", label: "Essay", type: "richtext", required: false },
      { key: "fine", label: "Fine", type: "rating", scale: [0, 100], required: false },
    ],
  });
  expect(within(screen.getByRole("radiogroup", { name: /Pain/ })).getAllByRole("radio")).toHaveLength(5);
  expect(screen.getByText("0 to 24, in steps of 0.5")).toBeTruthy();
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["Choose…", "keep", "drop"]);
  expect(screen.getByLabelText("Why").tagName).toBe("INPUT");
  expect(screen.getByLabelText("Essay").tagName).toBe("TEXTAREA");
  expect(screen.getByRole("slider", { name: "Fine, by slider" })).toBeTruthy();
});

test("each row of the matrix is a group of its own columns", () => {
  draw(matrix);
  const columns = (name: string) =>
    within(screen.getByRole("radiogroup", { name: new RegExp(name) }))
      .getAllByRole<HTMLInputElement>("radio")
      .map(({ value }) => value);
  expect(columns("Pain")).toEqual(["0", "1", "2", "3", "4"]);
  expect(columns("Sleep")).toEqual(["0", "1", "2"]);
  expect(columns("Mood")).toEqual(["1", "2", "3"]);
  expect(screen.getByRole("radiogroup", { name: /Pain/ }).getAttribute("aria-required")).toBe("true");
  expect(screen.getByRole("radiogroup", { name: /Sleep/ }).getAttribute("aria-required")).toBeNull();
});

test("what is no number stands below the matrix", () => {
  draw(matrix);
  expect(screen.getByLabelText("Why").tagName).toBe("INPUT");
});

test("the ends and the middle say what they mean", () => {
  draw(matrix);
  const pains = within(screen.getByRole("radiogroup", { name: /Pain/ }));
  expect(pains.getByRole("radio", { name: "0, None" })).toBeTruthy();
  expect(pains.getByRole("radio", { name: "2, Some" })).toBeTruthy();
  expect(pains.getByRole("radio", { name: "3" })).toBeTruthy();
  expect(pains.getByRole("radio", { name: "4, All" })).toBeTruthy();
});

test("an answer is a number, and an optional one can be taken back", async () => {
  const { seen, user } = draw(matrix);
  await user.click(within(screen.getByRole("radiogroup", { name: /Mood/ })).getByRole("radio", { name: "3, All" }));
  await user.click(screen.getByRole("button", { name: "Clear Mood" }));
  expect(seen.mock.calls).toEqual([
    ["mood", 3],
    ["mood", null],
  ]);
  await user.click(within(screen.getByRole("radiogroup", { name: /Pain/ })).getByRole("radio", { name: "3" }));
  expect(screen.queryByRole("button", { name: "Clear Pain" })).toBeNull();
});

test("an error stands at its row and is announced", () => {
  draw(matrix, { pain: "Pain is needed" });
  expect(screen.getByRole("alert").textContent).toBe("Pain is needed");
  const group = screen.getByRole("radiogroup", { name: /Pain/ });
  expect(group.getAttribute("aria-invalid")).toBe("true");
  expect(group.getAttribute("aria-describedby")).toBe(screen.getByRole("alert").id);
});

test.each([
  { name: "an unknown display type", change: { display_type: "carousel" }, says: /no display type “carousel”/ },
  { name: "a config that is no config", change: { display_config: { scale: "wide" } }, says: /cannot be read/ },
  { name: "a scale upside down", change: { display_config: { scale: [2, 0] } }, says: /min below max/ },
  { name: "a row without a scale", change: { display_config: null }, says: /needs a scale/ },
  { name: "too many columns", change: { display_config: { scale: [0, 20] } }, says: /makes 21 columns/ },
  { name: "nothing that could be a row", change: { dimensions: [why] }, says: /needs numbers or ratings/ },
])("$name falls back to the list and says so", ({ change, says }) => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  draw({ ...matrix, ...change } as unknown as Displayed);
  expect(screen.getByText(says)).toBeTruthy();
  expect(screen.getByLabelText("Why")).toBeTruthy();
  expect(warn).toHaveBeenCalledOnce();
});
