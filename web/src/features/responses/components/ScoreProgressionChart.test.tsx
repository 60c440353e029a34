import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn } from "@/testing/render";
import { ada, northwind, reader, response } from "@/testing/records";
import { ScoreProgressionChart } from "./ScoreProgressionChart";

function draw(data: object[]) {
  fakeServer({ [`GET /api/entities/${northwind.id}/responses/scores`]: { body: { data, next_cursor: null } } });
  renderSignedIn(<ScoreProgressionChart entityId={northwind.id} criteriaSetId={response.criteria_set_id} />);
}

const by = (submitted_by: object, month: number, score: number, temporal_value: string | null = null) => ({
  response_id: `r${month}`,
  submitted_by,
  temporal_value,
  score,
  created_at: `2026-0${month}-01T00:00:00Z`,
});

const cells = (table: HTMLElement, from: number) =>
  within(table).getAllByRole("row").slice(1).map((row) => within(row).queryAllByRole("cell").slice(from).map(({ textContent }) => textContent));

test("the chart is also a table, with whose score it is, for those who cannot see it", async () => {
  draw([by(reader, 3, 73.75), by(ada, 2, 30), by(ada, 1, 40)]);
  const table = await screen.findByRole("table", { name: "Scores over time" });
  expect(cells(table, 1)).toEqual([
    ["Ada", "40", "40"],
    ["Ada", "30", "30"],
    ["Filing reader", "73.75", "51.88"],
  ]);
  expect(screen.getByText("2 raters, median 51.88, from 30 to 73.75")).toBeTruthy();
  const legend = within(screen.getByRole("list", { name: "Raters" }));
  expect(legend.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Ada",
    "Filing reader",
    "Median of what each last said",
  ]);
});

test("a temporal set has a table by its temporal values", async () => {
  draw([by(ada, 3, 50, "2026-Q1"), by(reader, 2, 20, "2025-Q4"), by(ada, 1, 40, "2025-Q4")]);
  const table = await screen.findByRole("table", { name: "Scores over time" });
  expect(within(table).getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual(["2025-Q4", "2026-Q1"]);
  expect(cells(table, 0)).toEqual([
    ["40", "20", "30"],
    ["50", "–", "50"],
  ]);
});

test("without any score it says so", async () => {
  draw([]);
  expect(await screen.findByText("No response to this criteria set has a score yet.")).toBeTruthy();
});
