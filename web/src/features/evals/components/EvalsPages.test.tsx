import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { GOLDEN_ID, REPLAY_ID, RUN_ID, candidate, clerk, golden, goldenDetail, goldenSet, matrix, replay, replayDetail, run, starter, trendPoint } from "@/testing/evals";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { renderEvals } from "@/testing/renderEvals";

const HOME = "/admin/agent-review/evals";
const API = "/api/admin/evals";
const MANAGES = ["evals.team.review", "evals.team.manage"];
const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } });
const event = (seq: number, type: string, payload: Record<string, unknown>) => ({ seq, type, payload, at: "2026-01-05T10:00:00Z", whole: true });
const asked = event(1, "user.message", { text: "Set the employees" });
const read = [event(2, "tool.call", { id: "a", name: "getEntity", arguments: {} }), event(3, "tool.result", { id: "a", result: 1, answered_by: "tape" })];
const wrote = event(4, "tool.call", { id: "b", name: "submitResponse", arguments: { employees: 12 } });

async function open(path: string, permissions: string[] = MANAGES, routes: Parameters<typeof fakeServer>[0] = {}) {
  const calls = fakeServer({
    "GET /api/agents/overview": page(),
    "GET /api/criteria-sets": page(),
    [`GET ${API}/sets`]: page(goldenSet),
    [`GET ${API}/golden`]: page(golden),
    [`GET ${API}/candidates`]: { body: { data: [candidate] } },
    [`GET ${API}/starters`]: { body: { data: [starter, { ...starter, name: "pe-analyst", title: "Private equity analyst", state: "loading", promoted: 3 }] } },
    [`POST ${API}/starters/sales-ops`]: { status: 202, body: { ...starter, state: "loading" } },
    [`GET ${API}/facts`]: { body: { data: ["12 employees", "Acme"] } },
    [`GET ${API}/runs`]: page(run),
    [`GET ${API}/runs/${RUN_ID}`]: { body: run },
    [`GET ${API}/runs/${RUN_ID}/replays`]: page(replay),
    [`GET ${API}/replays/${REPLAY_ID}`]: { body: replayDetail },
    [`GET /api/sessions/${GOLDEN_ID}/events`]: page(asked, ...read, wrote),
    [`GET /api/sessions/${REPLAY_ID}/events`]: page(asked, ...read),
    [`GET ${API}/matrix`]: { body: matrix },
    [`GET ${API}/trend`]: page(trendPoint),
    [`POST ${API}/runs/set`]: { body: { replays: 6, baselineReplays: 3, tokens: 2160, cost: null, goldens: 2, baseline: { ...clerk, version: 1 }, compared: 1 } },
    [`POST ${API}/runs`]: { body: { replays: 1, baselineReplays: 0, tokens: 360, cost: 0.02, goldens: 1, baseline: null, compared: 0 } },
    [`GET ${API}/golden/${GOLDEN_ID}`]: { body: goldenDetail },
    "GET /api/feedback": page(),
    [`POST ${API}/golden`]: { status: 201, body: golden },
    [`PATCH ${API}/candidates`]: { body: { updated: 2 } },
    [`DELETE ${API}/golden/${GOLDEN_ID}`]: { status: 204 },
    ...routes,
  });
  const view = await renderEvals(path, permissions);
  return { ...view, calls, user: userEvent.setup() };
}

const bodies = (calls: Call[], method: string, path: string) => calls.filter((call) => call.method === method && call.path === path).map(({ body }) => body);

test("five candidates are in sight, and all of them on demand", async () => {
  const many = Array.from({ length: 7 }, (_, place) => ({ ...candidate, prompt: `Question ${place}`, feedbackIds: [`0190a000-0000-7000-8000-0000000001${place}0`] }));
  const { user } = await open(HOME, MANAGES, { [`GET ${API}/candidates`]: { body: { data: many } } });
  const list = await screen.findByRole("list", { name: "Candidates" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(5);
  await user.click(screen.getByRole("button", { name: "View all 7" }));
  expect(within(list).getAllByRole("listitem")).toHaveLength(7);
});

test("a candidate that is promoted has its feedback applied", async () => {
  const { user, calls } = await open(HOME);
  await user.click(await screen.findByRole("button", { name: "Promote to golden" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Promote to golden" }));
  await user.click(await dialog.findByRole("checkbox", { name: "12 employees" }));
  await user.click(dialog.getByRole("radio", { name: "Contains" }));
  await user.click(dialog.getByRole("button", { name: "Promote" }));
  await waitFor(() => expect(bodies(calls, "PATCH", `${API}/candidates`)).toEqual([{ feedbackIds: candidate.feedbackIds, action: "applied" }]));
  expect(bodies(calls, "POST", `${API}/golden`)).toEqual([
    { sessionId: GOLDEN_ID, set: "default", note: "", criteriaSetId: null, effects: "contains", facts: ["12 employees"], minPass: null, floor: true },
  ]);
});

test("a candidate with more feedback than one request may settle is settled in parts", async () => {
  const feedbackIds = Array.from({ length: 205 }, (_, place) => `0190a000-0000-7000-8000-${String(place).padStart(12, "0")}`);
  const { user, calls } = await open(HOME, MANAGES, { [`GET ${API}/candidates`]: { body: { data: [{ ...candidate, feedbackIds }] } } });
  await user.click(await screen.findByRole("button", { name: "Promote to golden" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Promote to golden" }));
  await user.click(dialog.getByRole("button", { name: "Promote" }));
  await waitFor(() =>
    expect(bodies(calls, "PATCH", `${API}/candidates`)).toEqual([
      { feedbackIds: feedbackIds.slice(0, 200), action: "applied" },
      { feedbackIds: feedbackIds.slice(200), action: "applied" },
    ]),
  );
});

test("a candidate that the server refuses keeps its feedback", async () => {
  const refused = { status: 409, body: { code: "session_not_completed", title: "Only a session that was completed can be a golden" } };
  const { user, calls } = await open(HOME, MANAGES, { [`POST ${API}/golden`]: refused });
  await user.click(await screen.findByRole("button", { name: "Promote to golden" }));
  await user.click(within(await screen.findByRole("dialog", { name: "Promote to golden" })).getByRole("button", { name: "Promote" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Only a session that was completed");
  expect(bodies(calls, "PATCH", `${API}/candidates`)).toEqual([]);
});

test("whoever only reads can change nothing, and whoever may not read is told so", async () => {
  await open(HOME, ["evals.team.review"]);
  await screen.findByRole("table", { name: "Goldens" });
  expect(screen.queryByRole("button", { name: /Promote|Dismiss|Replay set|Rename/ })).toBeNull();
});

test("without the permission there is nothing to see", async () => {
  await open(HOME, []);
  expect(await screen.findByText("You do not have access to this")).toBeTruthy();
});

test("a noise floor is said in words", async () => {
  await open(HOME);
  expect((await screen.findByRole("table", { name: "Goldens" })).textContent).toContain("Stable 5 of 5");
  expect(within(screen.getByRole("navigation", { name: "Sets" })).getByRole("link").textContent).toMatch(/clerk2 goldens · version 3.*1 stable.*1 not measured/);
});

test("what a run will take is said before it starts", async () => {
  const { user, calls } = await open(HOME);
  await user.click(await screen.findByRole("button", { name: "Replay set…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Replay set" }));
  expect(await dialog.findByText(/6 replays, about 2,160 tokens, cost not known/)).toBeTruthy();
  expect(dialog.getByText(/Against clerk, version 1, which has too few replays .*: 3 replays of these are made for it/)).toBeTruthy();
  expect(bodies(calls, "POST", `${API}/runs/set`)).toEqual([
    { setName: "clerk", dryRun: true, agents: [], repeats: 3, mode: "hybrid", context: "snapshot", margin: 0.05 },
  ]);
});

test("one golden too says what its replay will take", async () => {
  const { user, calls } = await open(`${HOME}/golden/${GOLDEN_ID}`);
  await user.click(await screen.findByRole("button", { name: "Replay…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Replay golden" }));
  expect(await dialog.findByText(/1 replay, about 360 tokens, \$0.02/)).toBeTruthy();
  expect(bodies(calls, "POST", `${API}/runs`)).toMatchObject([{ goldenSessionId: GOLDEN_ID, dryRun: true }]);
});

test("another session is accepted by its address, and one that cannot be is refused in place", async () => {
  const other = "0190a000-0000-7000-8000-000000000a02";
  const refused = { status: 409, body: { code: "not_an_alternative", title: "It is another session of the same type" } };
  const { user, calls } = await open(`${HOME}/golden/${GOLDEN_ID}`, MANAGES, { [`PUT ${API}/golden/${GOLDEN_ID}/alternatives/${other}`]: refused });
  const field = await screen.findByRole("textbox", { name: "Another session that is as good" });
  await user.type(field, "mine{Enter}");
  expect(screen.getByText("Paste the address or the id of one session.")).toBeTruthy();
  await user.clear(field);
  await user.type(field, `/sessions/${other}{Enter}`);
  expect(await screen.findByText("It is another session of the same type")).toBeTruthy();
  expect(bodies(calls, "PUT", `${API}/golden/${GOLDEN_ID}/alternatives/${other}`)).toHaveLength(1);
});

test("a golden shows what its replays must do, how steady it is and what was frozen", async () => {
  await open(`${HOME}/golden/${GOLDEN_ID}`);
  expect(await screen.findByText("12 employees")).toBeTruthy();
  expect(screen.getByText("Stable 5 of 5")).toBeTruthy();
  expect(screen.getByText("submitResponse")).toBeTruthy();
  expect(screen.getByText("No other session is accepted.")).toBeTruthy();
});

test.each([`golden/${GOLDEN_ID}`, `runs/${RUN_ID}`, `replays/${REPLAY_ID}`])("what is not there or another workspace's says so: %s", async (address) => {
  const gone = { status: 404, body: { code: "not_found", title: "There is no such thing" } };
  await open(`${HOME}/${address}`, MANAGES, { [`GET ${API}/${address}`]: gone });
  expect(await screen.findByRole("heading", { name: "There is no such thing here" })).toBeTruthy();
});

test.each([`golden/${GOLDEN_ID}`, `runs/${RUN_ID}`, `replays/${REPLAY_ID}`])("what could not be loaded can be tried again: %s", async (address) => {
  await open(`${HOME}/${address}`, MANAGES, { [`GET ${API}/${address}`]: { status: 500, body: { code: "internal_error", title: "Something went wrong" } } });
  expect(await screen.findByRole("button", { name: "Try again" }, { timeout: 5000 })).toBeTruthy();
});

test("a golden is revoked only after one has said so", async () => {
  const { user, calls } = await open(HOME);
  await user.click(await screen.findByRole("button", { name: /^What can be done with/ }));
  await user.click(await screen.findByRole("menuitem", { name: "Revoke…" }));
  expect(bodies(calls, "DELETE", `${API}/golden/${GOLDEN_ID}`)).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(bodies(calls, "DELETE", `${API}/golden/${GOLDEN_ID}`)).toHaveLength(1));
});

test("the inbox leads to regressions", async () => {
  const { calls } = await open(`${HOME}?tab=runs&verdict=regression`);
  expect((await screen.findByRole("table", { name: "Runs" })).textContent).toContain("Regression");
  expect(calls.find(({ path }) => path === `${API}/runs`)?.query.get("verdict")).toBe("regression");
});

test("a verdict has its interval, its baseline and what it could see, and the plot a table", async () => {
  const { user, router } = await open(`${HOME}/runs/${RUN_ID}`);
  expect(await screen.findByRole("heading", { name: /Regression.*−33.3 points, 90% interval −51.1 to −7.8/ })).toBeTruthy();
  expect(screen.getByText(/clerk, version 1/)).toBeTruthy();
  expect(screen.getByText(/The smallest change this run could see is 14 points. It takes 6 repeats/)).toBeTruthy();
  expect(screen.getByRole("table", { name: "Difference to the baseline in points" }).textContent).toContain("−51.1 to −7.8");
  expect((await screen.findByRole("link", { name: /^Repeat 1 of .*: failed$/ })).getAttribute("href")).toBe(`${HOME}/replays/${REPLAY_ID}`);
  expect(screen.getByRole("button", { name: "Replay with 6 repeats…" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: /Unchanged/ }));
  await waitFor(() => expect(router.state.location.search).toEqual({ change: "unchanged" }));
  expect(screen.getByText("No golden is like that")).toBeTruthy();
});

test("a run that goes on says how far it is, and can be cancelled", async () => {
  const going = { ...run, status: "running", done: 1, verdict: null, reports: [] };
  const { user, calls } = await open(`${HOME}/runs/${RUN_ID}`, MANAGES, { [`GET ${API}/runs/${RUN_ID}`]: { body: going }, [`POST ${API}/runs/${RUN_ID}/cancel`]: { body: going } });
  expect(await screen.findByText("1 of 2 replays compared")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Cancel run" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel run" }));
  await waitFor(() => expect(bodies(calls, "POST", `${API}/runs/${RUN_ID}/cancel`)).toHaveLength(1));
});

test("the difference shows the missing write, where answers came from, and n goes to it", async () => {
  const { user } = await open(`${HOME}/replays/${REPLAY_ID}`);
  expect((await screen.findAllByText("The golden's submitResponse was not done", { exact: false })).length).toBeGreaterThan(0);
  const rows = await screen.findAllByText("nothing here", { exact: false });
  expect(rows).toHaveLength(1);
  expect(screen.getAllByText("Tape").length).toBeGreaterThan(0);
  expect(screen.getByText("1 of 3 steps differ")).toBeTruthy();
  await user.keyboard("n");
  await waitFor(() => expect(document.activeElement?.textContent).toContain("submitResponse"));
});

test("a failed replay leads to its feedback, and may be accepted as good", async () => {
  const path = `${API}/golden/${GOLDEN_ID}/alternatives/${REPLAY_ID}`;
  const { user, calls } = await open(`${HOME}/replays/${REPLAY_ID}`, MANAGES, {
    "GET /api/feedback": page({ id: candidate.feedbackIds[0] }),
    [`PUT ${path}`]: { body: golden },
  });
  const link = await screen.findByRole("link", { name: "Feedback about it" });
  expect(link.getAttribute("href")).toContain(candidate.feedbackIds[0]);
  await user.click(screen.getByRole("button", { name: "Accept as good" }));
  await waitFor(() => expect(bodies(calls, "PUT", path)).toHaveLength(1));
});

test("the matrix says each repeat in words, and the trend its figures", async () => {
  await open(`${HOME}?tab=matrix`);
  const table = await screen.findByRole("table", { name: "Matrix" });
  expect(within(table).getByRole("link", { name: /clerk version 2: failed$/ })).toBeTruthy();
  expect(table.textContent).toContain("Not tried");
});

test("the trend has its figures in a table", async () => {
  await open(`${HOME}?tab=trend`);
  expect((await screen.findByRole("table", { name: "Runs over time" })).textContent).toContain("0% (0 to 24%)");
});

test("a workspace without goldens can begin with a set that is ready, with or without trials", async () => {
  const { user, calls } = await open(HOME, MANAGES, { [`GET ${API}/sets`]: page() });
  const list = within(await screen.findByRole("list", { name: "Sets to begin with" }));
  list.getByText("Its sessions run: 3 of 9");
  await user.click(screen.getByRole("checkbox", { name: /^Try other versions/ }));
  await user.click(list.getByRole("button", { name: "Load sales-ops, 9 goldens" }));
  await screen.findByText("“Sales operations” is being loaded.");
  expect(bodies(calls, "POST", `${API}/starters/sales-ops`)).toEqual([{ trials: false }]);
});

test("a set that something is in the way of says so", async () => {
  const problem = { type: "urn:goldloop:problem:agent_exists", title: "An agent has this slug", status: 409, detail: "An agent has this slug", code: "agent_exists" };
  const { user } = await open(HOME, MANAGES, { [`GET ${API}/sets`]: page(), [`POST ${API}/starters/sales-ops`]: { status: 409, body: problem } });
  await user.click(await screen.findByRole("button", { name: "Load sales-ops, 9 goldens" }));
  await screen.findByText("“Sales operations” was not loaded");
});

test("whoever only reads evals is offered no set", async () => {
  await open(HOME, ["evals.team.review"], { [`GET ${API}/sets`]: page() });
  await screen.findByText("No goldens yet");
  expect(screen.queryByRole("list", { name: "Sets to begin with" })).toBeNull();
});
