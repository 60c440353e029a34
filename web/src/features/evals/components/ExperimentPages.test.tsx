import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { EXPERIMENT_ID, experiment, experimentForecast, goldenSet, uselessRow } from "@/testing/evals";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { row } from "@/testing/knowledge";
import { renderEvals } from "@/testing/renderEvals";

const LIST = "/admin/agent-review/evals?tab=experiments";
const ONE = `/admin/agent-review/evals/experiments/${EXPERIMENT_ID}`;
const API = "/api/admin/evals";
const MANAGES = ["evals.team.review", "evals.team.manage", "knowledge.team.manage"];
const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } });

async function open(path: string, routes: Parameters<typeof fakeServer>[0] = {}, permissions = MANAGES) {
  const calls = fakeServer({
    "GET /api/agents/overview": page(),
    [`GET ${API}/sets`]: page(goldenSet),
    [`GET ${API}/experiments`]: page(experiment),
    [`GET ${API}/experiments/${EXPERIMENT_ID}`]: { body: experiment },
    [`POST ${API}/experiments`]: { body: experimentForecast },
    "GET /api/admin/shared-context": page(row),
    ...routes,
  });
  const view = await renderEvals(path, permissions);
  return { ...view, calls, user: userEvent.setup() };
}

const sent = (calls: Call[], isDry: boolean) =>
  calls.filter(({ method, path }) => method === "POST" && path === `${API}/experiments`).map(({ body }) => body as Record<string, unknown>).filter(({ dryRun }) => dryRun === isDry);

test("experiments are listed with what they found, and narrowed by the address", async () => {
  const { calls } = await open(`${LIST}&status=completed&set=clerk`);
  const table = await screen.findByRole("table", { name: "Experiments" });
  expect(within(table).getByText("1 helps, 1 no effect found")).toBeTruthy();
  const asked = calls.find(({ method, path }) => method === "GET" && path === `${API}/experiments`);
  expect(Object.fromEntries(asked?.query ?? [])).toMatchObject({ set: "clerk", status: "completed" });
});

test("without any, the page says what an experiment is; whoever may not begin one is not offered it", async () => {
  await open(LIST, { [`GET ${API}/experiments`]: page() }, ["evals.team.review"]);
  expect(await screen.findByText("No lesson is measured yet")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Measure lessons…" })).toBeNull();
});

test("what it takes is said while one chooses, replays for 80% are a press away, and then it begins", async () => {
  const { user, calls } = await open(`${LIST}&new=1`);
  const dialog = within(await screen.findByRole("dialog", { name: "Measure what lessons are worth" }));
  expect(await dialog.findByText(/240 replays: 200 to run, 40 there already/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "80% takes 1,040 replays" }));
  await waitFor(() => expect(sent(calls, true).at(-1)).toMatchObject({ replays: 1040, design: "halves" }));
  await user.click(dialog.getByRole("radio", { name: "Chosen rows" }));
  expect(dialog.getByRole("button", { name: "Start" })).toHaveProperty("disabled", true);
  await user.click(await dialog.findByRole("checkbox", { name: row.content }));
  await user.selectOptions(dialog.getByLabelText("How"), "pairs");
  await waitFor(() => expect(sent(calls, true).at(-1)).toMatchObject({ rowIds: [row.id], design: "pairs", pairs: 40 }));
  await user.click(dialog.getByRole("button", { name: "Start" }));
  await waitFor(() => expect(sent(calls, false)).toHaveLength(1));
  expect(sent(calls, false)[0]).toMatchObject({ setName: "clerk", rowIds: [row.id], design: "pairs" });
});

test("what cannot be measured says so before it begins", async () => {
  const refused = { status: 422, body: { title: "No knowledge applies to these goldens: there is nothing to measure", code: "no_rows", status: 422 } };
  await open(`${LIST}&new=1`, { [`POST ${API}/experiments`]: refused });
  expect(await screen.findByText(/No knowledge applies to these goldens/)).toBeTruthy();
});

test("a page says the verdict first, then rows by evidence with their intervals", async () => {
  await open(ONE);
  expect(await screen.findByRole("heading", { level: 2, name: "1 row helps and no effect was found for 1." })).toBeTruthy();
  const [, first, second] = within(screen.getByRole("table", { name: "Rows of the experiment" })).getAllByRole("row");
  expect(first?.textContent).toContain("+16.0 (8.0 to 24.0)");
  expect(first?.textContent).toContain("Confirmed");
  expect(first?.textContent).toContain("Evidence that it helps: 21.1, and 20 is enough");
  expect(second?.textContent).toContain("No effect found");
  expect(screen.getByText("How this was measured, and what it does not say")).toBeTruthy();
});

test("what never applied has no figure, and what is old says why", async () => {
  const never = { ...uselessRow, label: "unmeasured", reason: "never_applied", delta: null, low: null, high: null, n: 0, present: 0, absent: 0 };
  await open(ONE, { [`GET ${API}/experiments/${EXPERIMENT_ID}`]: { body: { ...experiment, results: [never], stale: true, staleBecause: ["agent"] } } });
  const table = await screen.findByRole("table", { name: "Rows of the experiment" });
  expect(within(table).getByText("Never applied")).toBeTruthy();
  expect(within(table).getByText(/that is not a value of 0/)).toBeTruthy();
  expect(screen.getByText(/Old: the agent has a newer version\./)).toBeTruthy();
});

test("one that runs says how far it is and in which part, and is cancelled after a question", async () => {
  const running = { ...experiment, status: "confirming", findings: null, done: 60, endedAt: null };
  const { user, calls } = await open(ONE, {
    [`GET ${API}/experiments/${EXPERIMENT_ID}`]: { body: running },
    [`POST ${API}/experiments/${EXPERIMENT_ID}/cancel`]: { body: { ...running, status: "cancelled", stopped: "cancelled" } },
  });
  expect(await screen.findByText("60 of 128 replays compared")).toBeTruthy();
  expect(screen.getByText("What shows an effect, one row at a time").getAttribute("aria-current")).toBe("step");
  await user.click(screen.getByRole("button", { name: "Cancel experiment" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel experiment" }));
  await waitFor(() => expect(calls.some(({ method, path }) => method === "POST" && path.endsWith("/cancel"))).toBe(true));
});
