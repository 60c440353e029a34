import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn } from "@/testing/render";
import { northwind, response } from "@/testing/records";
import { ScoreProgressionChart } from "./ScoreProgressionChart";

function draw(progression: object[]) {
  fakeServer({
    [`GET /api/entities/${northwind.id}/responses/aggregate`]: {
      body: { count: progression.length, respondents: 2, score: null, dimensions: [], progression },
    },
  });
  renderSignedIn(<ScoreProgressionChart entityId={northwind.id} criteriaSetId={response.criteria_set_id} />);
}

test("the chart is also a table, for those who cannot see it", async () => {
  draw([
    { at: "2026-01-01T00:00:00Z", score: 40, min: 30, max: 50, count: 2 },
    { at: "2026-02-01T00:00:00Z", score: 80, min: 80, max: 80, count: 1 },
  ]);
  const table = await screen.findByRole("table", { name: "Scores over time" });
  const cells = within(table).getAllByRole("row").map((row) => within(row).queryAllByRole("cell").slice(1));
  expect(cells.map((row) => row.map((cell) => cell.textContent))).toEqual([[], ["40", "30", "50", "2"], ["80", "80", "80", "1"]]);
  expect(screen.getByText("from 40 to 80, by 2 respondents")).toBeTruthy();
});

test("without any score it says so", async () => {
  draw([]);
  expect(await screen.findByText("No response to this criteria set has a score yet.")).toBeTruthy();
});
