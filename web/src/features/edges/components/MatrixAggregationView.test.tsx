import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { run } from "axe-core";
import { expect, test, vi } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { northwind } from "@/testing/records";
import { renderAt } from "@/testing/renderAt";
import { MatrixAggregationView } from "./MatrixAggregationView";

const set = { id: "0190a000-0000-7000-8000-00000000000a", name: "Outcomes" };
const outcome = { key: "outcome", label: "Outcome", type: "rating", scale: [1, 5], weight: 1, required: false };
const effort = { key: "effort", label: "Effort", type: "rating", scale: [1, 5], required: false };
const matrix = {
  dimensions: [outcome, effort],
  connections: [
    { id: "a", title: "Sauna" },
    { id: "b", title: "=Cold, plunge" },
    { id: "c", title: null },
  ],
  respondents: [
    { kind: "user", id: "u", name: "Ada" },
    { kind: "user", id: "v", name: "Ben" },
  ],
  cells: {
    connection: [0, 0, 0, 1, 2],
    respondent: [0, 1, 1, 0, 0],
    values: [
      [5, 1, 2, 3, null],
      [1, 2, 3, 5, 4],
    ],
  },
};
const at = `/api/entities/${northwind.id}/responses/aggregate`;

async function open(search = "", body: object = { count: 3, matrix }) {
  const calls = fakeServer({ [`GET ${at}`]: { body } });
  const view = <MatrixAggregationView entity={northwind} criteriaSet={set} />;
  const rendered = await renderAt(`/records/${northwind.id}?tab=responses${search}`, view, []);
  return { ...rendered, calls, user: userEvent.setup() };
}

const figure = () => screen.getByRole("figure");
const column = (name: string) => screen.getByRole("columnheader", { name: new RegExp(name) });
const titles = () => screen.getAllByRole("row").slice(1).map((row) => within(row).getAllByRole("cell")[0]?.textContent);
const cells = (row: number) => within(screen.getAllByRole("row")[row]!).getAllByRole("cell").map((cell) => cell.textContent);

test("the usual picture: two dimensions, mean, best first, removed records named as such", async () => {
  await open();
  const chart = await screen.findByRole("img", { name: /^Bubble chart of 2 connections by mean: Outcome across, Effort upwards\./ });
  expect(chart).toBeTruthy();
  expect(figure().dataset).toMatchObject({ x: "outcome", y: "effort", agg: "mean", overlay: "false" });
  expect(titles()).toEqual(["=Cold, plunge", "Sauna", "Removed record"]);
  expect(cells(2)[1]).toBe("2.67");
  expect(column("Score").getAttribute("aria-sort")).toBe("descending");
  expect(screen.getByText("1 connection has no value on both axes and stands only in the table.")).toBeTruthy();
  expect(screen.getByText("3 responses by 2 respondents about 3 connections")).toBeTruthy();
});

test("another strategy changes numbers, order and address, and asks the server nothing", async () => {
  const { calls, router, user } = await open();
  await screen.findByRole("img");
  expect(calls).toHaveLength(1);
  expect(calls[0]?.query.get("compact")).toBe("true");
  await user.click(screen.getByRole("radio", { name: "Median" }));
  await waitFor(() => expect(figure().dataset.agg).toBe("median"));
  expect(cells(1).slice(0, 2)).toEqual(["=Cold, plunge", "3"]);
  expect(cells(2).slice(0, 2)).toEqual(["Sauna", "2"]);
  await user.click(screen.getByRole("radio", { name: "Max" }));
  await waitFor(() => expect(cells(1).slice(0, 2)).toEqual(["Sauna", "5"]));
  expect(router.state.location.search).toEqual({ tab: "responses", agg: "max" });
  expect(calls).toHaveLength(1);
});

test("a link reproduces the picture", async () => {
  await open("&x=effort&y=outcome&z=effort&agg=min&overlay=1&sort=title&dir=asc");
  const chart = await screen.findByRole("img");
  expect(chart.getAttribute("aria-label")).toContain("by min: Effort across, Outcome upwards, the size of each Effort, with a dot");
  expect(figure().dataset).toMatchObject({ x: "effort", y: "outcome", z: "effort", agg: "min", overlay: "true" });
  expect(column("Connected record").getAttribute("aria-sort")).toBe("ascending");
  expect(screen.getByLabelText<HTMLSelectElement>("Size").value).toBe("effort");
  expect(screen.getByRole("switch", { name: "Single ratings" })).toHaveProperty("checked", true);
  expect(screen.getByText(/The pale dots are 4 single ratings/)).toBeTruthy();
});

test("axes, dots and order go into the address, and out of it again", async () => {
  const { router, user } = await open();
  await screen.findByRole("img");
  await user.selectOptions(screen.getByLabelText("Across"), "effort");
  await user.selectOptions(screen.getByLabelText("Size"), "outcome");
  await user.click(screen.getByRole("switch", { name: "Single ratings" }));
  await user.click(within(column("Effort")).getByRole("button"));
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ tab: "responses", x: "effort", z: "outcome", overlay: 1, sort: "effort" }),
  );
  expect(titles()).toEqual(["=Cold, plunge", "Removed record", "Sauna"]);
  within(column("Effort")).getByRole("button").focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(titles()).toEqual(["Sauna", "Removed record", "=Cold, plunge"]));
  await user.selectOptions(screen.getByLabelText("Across"), "outcome");
  await user.selectOptions(screen.getByLabelText("Size"), "");
  await user.click(screen.getByRole("switch", { name: "Single ratings" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: "responses", sort: "effort", dir: "asc" }));
});

test("what the address cannot mean counts as not said", async () => {
  await open("&x=nope&agg=mode&overlay=maybe&sort=nope&dir=sideways");
  await screen.findByRole("img");
  expect(figure().dataset).toMatchObject({ x: "outcome", y: "effort", agg: "mean", overlay: "false" });
  expect(column("Score").getAttribute("aria-sort")).toBe("descending");
});

test("a single dimension stands against the score", async () => {
  await open("", { count: 3, matrix: { ...matrix, dimensions: [outcome], cells: { ...matrix.cells, values: [matrix.cells.values[0]] } } });
  expect((await screen.findByRole("img")).getAttribute("aria-label")).toContain("Outcome across, Score upwards");
});

test("without numbers to draw there is still the table", async () => {
  await open("", { count: 3, matrix: { ...matrix, dimensions: [], cells: { ...matrix.cells, values: [] } } });
  expect(await screen.findByText("This criteria set has no numbers or ratings to draw.")).toBeTruthy();
  expect(titles()).toEqual(["Sauna", "=Cold, plunge", "Removed record"]);
});

test.each([{ count: 0 }, { count: 0, matrix: { ...matrix, connections: [], cells: { connection: [], respondent: [], values: [[], []] } } }])(
  "before anything is rated it says so",
  async (body) => {
    await open("", body);
    expect(await screen.findByText("No connection has been rated yet.")).toBeTruthy();
  },
);

test("a failure can be tried again", async () => {
  let broken = true;
  fakeServer({ [`GET ${at}`]: () => (broken ? { status: 503, body: {} } : { body: { count: 3, matrix } }) });
  await renderAt(`/records/${northwind.id}`, <MatrixAggregationView entity={northwind} criteriaSet={set} />, []);
  broken = false;
  await userEvent.setup().click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("img")).toBeTruthy();
});

test("the table is saved in its order, and text in it is only text", async () => {
  const { user } = await open("&sort=title&dir=asc");
  await screen.findByRole("img");
  const saved: Blob[] = [];
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (blob: Blob) => (saved.push(blob), "blob:x"), revokeObjectURL: () => {} }));
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  await user.click(screen.getByRole("button", { name: "CSV" }));
  expect(names).toEqual(["northwind-outcomes-mean.csv"]);
  const lines = (await saved[0]!.text()).split("\r\n");
  expect(lines[0]).toContain("Connected record,Id,Outcome,Effort,Score (0 to 100),Weighted score,Responses");
  expect(lines[1]).toBe(`"'=Cold, plunge",b,3,5,50,3,1`);
});

test("where not all single ratings can be drawn, it says how many are", async () => {
  const rows = Array.from({ length: 5000 }, (_, n) => n);
  const answers = { connection: rows.map(() => 0), respondent: rows.map(() => 0), values: [rows, rows] };
  await open("&overlay=1", { count: 5000, matrix: { ...matrix, cells: answers } });
  expect(await screen.findByText(/The pale dots are 2,500 of 5,000 single ratings: not all of them can be drawn\./)).toBeTruthy();
  expect(screen.getByRole("img").getAttribute("aria-label")).toContain("a dot for 2,500 of 5,000 single ratings");
});

const other = { id: "0190a000-0000-7000-8000-00000000000b", name: "Costs" };
const price = { key: "price", label: "Price", type: "number", required: false };
const prices = { ...matrix, dimensions: [price, effort] };

async function openBoth(search: string) {
  fakeServer({ [`GET ${at}`]: ({ query }) => ({ body: { count: 3, matrix: query.get("criteria_set_id") === set.id ? matrix : prices } }) });
  const views = [set, other].map((each) => (
    <section key={each.id} aria-label={each.name}>
      <MatrixAggregationView entity={northwind} criteriaSet={each} isOneOfSeveral />
    </section>
  ));
  const rendered = await renderAt(`/records/${northwind.id}?tab=responses${search}`, <>{views}</>, []);
  await waitFor(() => expect(screen.getAllByRole("img")).toHaveLength(2));
  const inside = (name: string) => within(screen.getByRole("region", { name }));
  return { ...rendered, inside, user: userEvent.setup() };
}

test("a choice in one picture says whose it is, and keeps what else the address says about it", async () => {
  const page = await openBoth(`&set=${other.id}&x=price&agg=max&sort=price`);
  expect(page.inside("Costs").getByRole("figure").dataset).toMatchObject({ x: "price", agg: "max" });
  expect(page.inside("Outcomes").getByRole("figure").dataset).toMatchObject({ x: "outcome", agg: "mean" });
  await page.user.selectOptions(page.inside("Costs").getByLabelText("Size"), "effort");
  await waitFor(() =>
    expect(page.router.state.location.search).toEqual({
      tab: "responses", set: other.id, x: "price", agg: "max", sort: "price", z: "effort",
    }),
  );
});

test("a choice in another picture begins with that one's defaults", async () => {
  const page = await openBoth(`&set=${other.id}&x=effort&agg=max&sort=price`);
  await page.user.click(page.inside("Outcomes").getByRole("radio", { name: "Median" }));
  await waitFor(() => expect(page.router.state.location.search).toEqual({ tab: "responses", set: set.id, agg: "median" }));
  expect(page.inside("Costs").getByRole("figure").dataset).toMatchObject({ x: "price", agg: "mean" });
});

test("more connections than fit are there when asked for", async () => {
  const many = Array.from({ length: 60 }, (_, n) => ({ id: `c${n}`, title: `Person ${n}` }));
  const rows = many.map((_, n) => n);
  const cells60 = { connection: rows, respondent: rows.map(() => 0), values: [rows.map((n) => (n % 5) + 1), rows.map(() => 3)] };
  const { user } = await open("", { count: 1, matrix: { ...matrix, connections: many, cells: cells60 } });
  await screen.findByRole("img");
  expect(titles()).toHaveLength(25);
  await user.click(screen.getByRole("button", { name: "Show all" }));
  expect(titles()).toHaveLength(60);
});

test("the view is accessible", async () => {
  const { container } = await open("&overlay=1");
  await screen.findByRole("img");
  const found = await run(container, { rules: { "color-contrast": { enabled: false }, region: { enabled: false } } });
  expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
});
