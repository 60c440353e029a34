import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { renderSessions } from "@/testing/renderSessions";
import { agentSession } from "@/testing/sessions";

const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } });
const LIST = "/admin/agent-review/sessions";
const other = { ...agentSession, id: "0190a000-0000-7000-8000-000000000202", first_message: "Where is my order?", status: "running", ended_at: null, cost: null, agent_version: null };

async function open(path: string, routes: Parameters<typeof fakeServer>[0] = {}) {
  const calls = fakeServer({
    "GET /api/sessions": page(agentSession, other),
    "GET /api/agents": page({ id: agentSession.agent_id, slug: "filing-reader", name: "Filing reader" }),
    ...routes,
  });
  const view = await renderSessions(path);
  return { ...view, calls, user: userEvent.setup() };
}

const asked = (calls: Call[]) => Object.fromEntries(calls.filter((call) => call.path === "/api/sessions").at(-1)?.query ?? []);

test("a row tells how a session stands, who ran it, what it took and where it came from", async () => {
  await open(LIST);
  const [, first, second] = within(await screen.findByRole("table", { name: "Sessions" })).getAllByRole("row");
  for (const part of ["Is the revenue right?", "Agent · ran here · 6 events", "Completed", "filing-reader", "v3", "4.2 s", "1.2k in · 88 out", "$0.0021"]) {
    expect(first?.textContent).toContain(part);
  }
  expect(second?.textContent).toContain("Running");
  expect(screen.getByRole("link", { name: "Where is my order?" }).getAttribute("href")).toBe(`/sessions/${other.id}`);
});

test("an address reproduces the filters, and every filter goes into the address", async () => {
  const { calls, user, router } = await open(
    `${LIST}?q=order&status=failed&agent=filing-reader&type=chat&source=client&golden=true&start=2026-01-01&end=2026-01-31`,
  );
  await screen.findByRole("table", { name: "Sessions" });
  expect(asked(calls)).toEqual({
    limit: "100",
    q: "order",
    status: "failed",
    agent: "filing-reader",
    type: "chat",
    source: "client",
    golden: "true",
    since: "2026-01-01T00:00:00Z",
    until: "2026-01-31T23:59:59.999999Z",
  });
  const filters = within(screen.getByRole("search", { name: "Sessions" }));
  expect([...filters.getAllByRole("combobox"), ...filters.getAllByRole("searchbox")]).toHaveLength(4);
  await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "completed");
  await user.click(screen.getByRole("button", { name: "Filter, 3 active" }));
  const more = within(await screen.findByRole("dialog", { name: "Filter, 3 active" }));
  await user.selectOptions(more.getByRole("combobox", { name: "Golden" }), "false");
  await user.selectOptions(more.getByRole("combobox", { name: "Waits for a person" }), "look");
  await waitFor(() => expect(router.state.location.search).toMatchObject({ status: "completed", golden: false, waits_for: "look" }));
  await waitFor(() => expect(asked(calls)).toMatchObject({ status: "completed", golden: "false", waits_for: "look" }));
  await user.click(more.getByRole("button", { name: "Clear these" }));
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ q: "order", status: "completed", agent: "filing-reader", type: "chat" }),
  );
});

test("the list is gone through by keyboard", async () => {
  const { user } = await open(LIST);
  await screen.findByRole("table", { name: "Sessions" });
  await user.keyboard("j");
  expect(document.activeElement?.textContent).toBe("Is the revenue right?");
  await user.keyboard("j");
  expect(document.activeElement?.textContent).toBe("Where is my order?");
  await user.keyboard("k?");
  expect(await screen.findByRole("dialog", { name: "Go through sessions by keyboard" })).toBeTruthy();
});

test("nothing found can be widened; nothing at all says what will be here", async () => {
  const { user, router } = await open(`${LIST}?q=zzz`, { "GET /api/sessions": page() });
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(await screen.findByText("No sessions yet")).toBeTruthy();
});

test("a list that cannot be loaded says so and is tried again", async () => {
  let answer: { status?: number; body: unknown } = { status: 500, body: { detail: "The server is out of order" } };
  const { user } = await open(LIST, { "GET /api/sessions": () => answer });
  expect((await screen.findByRole("alert")).textContent).toContain("The server is out of order");
  answer = page(agentSession);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("table", { name: "Sessions" })).toBeTruthy();
});
