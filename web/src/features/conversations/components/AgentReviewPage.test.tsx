import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { conversation, measured, report, transcript, unsettled } from "@/testing/conversations";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { renderAgentReview } from "@/testing/renderAgentReview";

const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } });
const REVIEWS = ["reactions.team.settle"];
const other = { ...unsettled, id: "0190a000-0000-7000-8000-000000000112", message: "Not what I asked for." };

async function open(path: string, permissions: string[] = [], routes: Parameters<typeof fakeServer>[0] = {}) {
  const calls = fakeServer({
    "GET /api/conversations/projects": { body: { data: ["Coding", "Support"] } },
    "GET /api/conversation-agents": { body: { data: ["answer-bot", "coder"] } },
    "GET /api/conversations": page(conversation),
    "GET /api/reactions/unsettled/count": { body: { count: 2 } },
    "GET /api/reactions/unsettled": page(unsettled, other),
    "GET /api/conversations/satisfaction": { body: report },
    ...routes,
  });
  const view = await renderAgentReview(path, permissions);
  return { ...view, calls, user: userEvent.setup() };
}

const asked = (calls: Call[], path: string) =>
  Object.fromEntries(calls.filter((call) => call.path === path).at(-1)?.query ?? []);

test("a list tells what was thought, and how many reactions are unclear", async () => {
  await open("/admin/agent-review/conversations");
  const [, row] = within(await screen.findByRole("table", { name: "Conversations" })).getAllByRole("row");
  expect(row?.textContent).toContain("Where is my order?");
  expect(row?.textContent).toContain("1 OK1 Not OK1 by machine");
  expect(screen.getByRole("link", { name: "Where is my order?" }).getAttribute("href")).toBe(
    "/admin/agent-review/conversations/Support/order-1",
  );
  expect(await screen.findByRole("link", { name: "Unclear reactions 2" })).toBeTruthy();
});

test("an address reproduces the filters, and every filter goes into the address", async () => {
  const { calls, user, router } = await open(
    "/admin/agent-review/conversations?q=order&project=Support&agent=coder&user=ana&reaction=not_ok&origin=machine&user_type=member&reacted_start=2026-01-05&reacted_end=2026-01-11&start=2026-01-01&end=2026-01-31",
  );
  await screen.findByRole("table", { name: "Conversations" });
  expect(asked(calls, "/api/conversations")).toEqual({
    limit: "100",
    q: "order",
    project: "Support",
    agent: "coder",
    user_id: "ana",
    reaction: "not_ok",
    origin: "machine",
    user_type: "member",
    reacted_start: "2026-01-05T00:00:00Z",
    reacted_end: "2026-01-11T23:59:59.999999Z",
    start: "2026-01-01T00:00:00Z",
    end: "2026-01-31T23:59:59.999999Z",
  });
  expect(screen.getByRole<HTMLInputElement>("searchbox", { name: "Search what was said" }).value).toBe("order");
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Project" }).value).toBe("Support");
  const filters = within(screen.getByRole("search", { name: "Conversations" }));
  expect([...filters.getAllByRole("combobox"), ...filters.getAllByRole("searchbox")]).toHaveLength(4);

  await user.selectOptions(screen.getByRole("combobox", { name: "Reaction" }), "ok");
  await user.click(screen.getByRole("button", { name: "Filter, 5 active" }));
  const more = within(await screen.findByRole("dialog", { name: "Filter, 5 active" }));
  expect(more.getByLabelText<HTMLInputElement>("From (UTC)").value).toBe("2026-01-01");
  expect(more.getByLabelText<HTMLInputElement>("From (UTC): Reaction given").value).toBe("2026-01-05");
  await user.selectOptions(more.getByRole("combobox", { name: "Last turn" }), "7");
  await user.selectOptions(more.getByRole("combobox", { name: "Reactions of" }), "");
  await waitFor(() => expect(router.state.location.search).toMatchObject({ reaction: "ok", days: 7, project: "Support" }));
  expect(router.state.location.search).not.toHaveProperty("start", "2026-01-01");
  await waitFor(() => expect(asked(calls, "/api/conversations").reaction).toBe("ok"));
  await user.click(more.getByRole("button", { name: "Clear these" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ q: "order", project: "Support", agent: "coder", reaction: "ok" }));
  expect(screen.getByRole("button", { name: "Filter" })).toBeTruthy();
});

test("the way back from a conversation leads to the list as it was", async () => {
  const { user, router } = await open("/admin/agent-review/conversations?project=Support&reaction=ok", [], {
    "GET /api/conversations/Support/order-1": { body: transcript },
    "GET /api/members": page(),
  });
  await user.click(await screen.findByRole("link", { name: "Where is my order?" }));
  await user.click(await screen.findByRole("link", { name: "Said in a later message" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ turn: "turn_2" }));
  await user.click(screen.getByRole("link", { name: "Conversations" }));
  await screen.findByRole("table", { name: "Conversations" });
  expect(router.state.location.search).toEqual({ project: "Support", reaction: "ok" });
});

test("nothing found can be widened; nothing at all says how to begin", async () => {
  const { user, router } = await open("/admin/agent-review/conversations?q=zzz", [], { "GET /api/conversations": page() });
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(await screen.findByText("No agent activity yet")).toBeTruthy();
});

test("a list that cannot be loaded says so and is tried again", async () => {
  let answer: { status?: number; body: unknown } = { status: 500, body: { detail: "The server is out of order" } };
  const { user } = await open("/admin/agent-review/conversations", [], { "GET /api/conversations": () => answer });
  expect((await screen.findByRole("alert")).textContent).toContain("The server is out of order");
  answer = page(conversation);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("table", { name: "Conversations" })).toBeTruthy();
});

const SETTLED = { body: { payload: { meta: { rn: "ef:settled" } } } };

/** A server whose queue grows shorter. */
function queue(settled: { status?: number; body: unknown }) {
  let left = [unsettled, other];
  const settle = ({ path }: Call) => {
    if ((settled.status ?? 200) < 400) left = left.filter(({ id }) => !path.includes(id));
    return settled;
  };
  const undo = ({ path }: Call) => {
    left = [unsettled, other].filter((row) => left.includes(row) || path.includes(row.id));
    return { body: {} };
  };
  return {
    "GET /api/reactions/unsettled": () => page(...left),
    "GET /api/reactions/unsettled/count": () => ({ body: { count: left.length } }),
    [`POST /api/reactions/${unsettled.id}/settle`]: settle,
    [`POST /api/reactions/${other.id}/settle`]: settle,
    [`POST /api/reactions/${unsettled.id}/settle/undo`]: undo,
    [`POST /api/reactions/${other.id}/settle/undo`]: undo,
  };
}

test("the queue is settled by keyboard: to a message, to an answer, Enter; and none", async () => {
  const { calls, user } = await open("/admin/agent-review/conversations/unclear", REVIEWS, queue(SETTLED));
  await screen.findByText("The query by week is wrong.");
  await user.keyboard("jj");
  expect(document.activeElement?.textContent).toContain("Not what I asked for.");
  await user.keyboard("k2");
  expect(document.activeElement?.textContent).toContain("This one");
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByText("The query by week is wrong.")).toBeNull());
  const first = calls.find(({ method }) => method === "POST");
  expect([first?.path, first?.body]).toEqual([
    `/api/reactions/${unsettled.id}/settle`,
    { conversation_id: "older", turn_id: "turn_2" },
  ]);
  await waitFor(() => expect(document.activeElement?.textContent).toContain("Not what I asked for."));
  await user.keyboard("0{Enter}");
  expect(await screen.findByText("Nothing is unclear")).toBeTruthy();
  expect(calls.filter(({ method }) => method === "POST").at(-1)?.body).toEqual({ turn_id: null });

  await user.keyboard("u");
  await waitFor(() => expect(document.activeElement?.textContent).toContain("Not what I asked for."));
  const last = calls.filter(({ method }) => method === "POST").at(-1);
  expect([last?.path, last?.body]).toEqual([`/api/reactions/${other.id}/settle/undo`, { rn: "ef:settled" }]);
  await user.click(screen.getAllByRole("button", { name: /^Undo/ })[0] as HTMLElement);
  expect(await screen.findByText("The query by week is wrong.")).toBeTruthy();
});

test("who settles the next one before the last is saved is told about both, and can take both back", async () => {
  let release = () => {};
  const saved = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late = (rn: string) => async () => {
    await saved;
    return { body: { payload: { meta: { rn } } } };
  };
  const routes = {
    ...queue(SETTLED),
    [`POST /api/reactions/${unsettled.id}/settle`]: late("ef:first"),
    [`POST /api/reactions/${other.id}/settle`]: late("ef:second"),
  };
  const { calls, user } = await open("/admin/agent-review/conversations/unclear", REVIEWS, routes);
  const card = within(await screen.findByRole("listitem", { name: "Message: The query by week is wrong." }));
  await user.click(card.getByRole("button", { name: "This one: SELECT 3" }));
  await waitFor(() => expect(screen.queryByText("The query by week is wrong.")).toBeNull());
  await user.click(screen.getByRole("button", { name: /None of these/ }));
  release();
  expect(await screen.findAllByText("Settled: “SELECT 3” was meant.")).not.toHaveLength(0);
  expect(await screen.findAllByText("Settled: none of them was meant.")).not.toHaveLength(0);
  for (const undo of screen.getAllByRole("button", { name: /^Undo/ })) await user.click(undo);
  const undone = () => calls.filter(({ path }) => path.endsWith("/undo")).map(({ body }) => (body as { rn: string }).rn);
  await waitFor(() => expect(undone().sort()).toEqual(["ef:first", "ef:second"]));
});

test("what a colleague settled otherwise is not taken back, and that is said", async () => {
  const otherwise = { status: 409, body: { code: "reaction_settled", detail: "It was settled otherwise meanwhile" } };
  const routes = { ...queue(SETTLED), [`POST /api/reactions/${unsettled.id}/settle/undo`]: otherwise };
  const { user } = await open("/admin/agent-review/conversations/unclear", REVIEWS, routes);
  const card = within(await screen.findByRole("listitem", { name: "Message: The query by week is wrong." }));
  await user.click(card.getByRole("button", { name: "This one: SELECT 3" }));
  expect(await screen.findAllByText("Settled: “SELECT 3” was meant.")).not.toHaveLength(0);
  await user.keyboard("u");
  expect(await screen.findByText("It was settled otherwise meanwhile")).toBeTruthy();
  await user.keyboard("u");
  expect((await screen.findAllByRole("status")).map(({ textContent }) => textContent)).toContain("There is nothing to undo.");
});

test("the queue asks the reviewer, in words; figures come when they are asked for", async () => {
  const { user } = await open("/admin/agent-review/conversations/unclear", REVIEWS);
  const item = await screen.findByRole("listitem", { name: "Message: The query by week is wrong." });
  const card = within(item);
  expect(card.getByText("Which answer did the customer mean?")).toBeTruthy();
  expect(item.textContent).toContain("Quite sure");
  expect(item.textContent).toContain("Alike");
  expect(item.textContent).not.toMatch(/%|0\.\d|turn_/);
  await user.click(card.getByRole("button", { name: "Show figures" }));
  expect(item.textContent).toContain("86\u00a0%");
  expect(item.textContent).toContain("score 0.49, of similarity 0.40 and recency 1.00");
});

test("what somebody else settled meanwhile is said, and comes back as the server knows it", async () => {
  const refused = { status: 409, body: { code: "reaction_settled", title: "This reaction is settled already" } };
  const { user } = await open("/admin/agent-review/conversations/unclear", REVIEWS, queue(refused));
  const card = within(await screen.findByRole("listitem", { name: "Message: The query by week is wrong." }));
  await user.click(card.getByRole("button", { name: "This one: SELECT 3" }));
  expect(await screen.findByText("This reaction is settled already")).toBeTruthy();
  expect(await screen.findByText("The query by week is wrong.")).toBeTruthy();
});

test("whoever may not settle looks on", async () => {
  await open("/admin/agent-review/conversations/unclear");
  expect(await screen.findAllByText("SELECT 2")).toHaveLength(2);
  expect(screen.queryByRole("button", { name: /This one/ })).toBeNull();
  expect(screen.getByRole("note").textContent).toContain("Reviewers and admins say which answer was meant");
});

test("keys say what they do", async () => {
  const { user } = await open("/admin/agent-review/conversations/unclear", REVIEWS);
  await screen.findByText("The query by week is wrong.");
  await user.keyboard("?");
  const dialog = within(await screen.findByRole("dialog", { name: "Settle by keyboard" }));
  await user.click(dialog.getByRole("switch", { name: /^Letters and digits work on the whole tab/ }));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  (document.activeElement as HTMLElement).blur();
  await user.keyboard("j");
  expect(document.activeElement).toBe(document.body);
});

test("satisfaction is a rate with its interval, a chart that is also a table, and groups", async () => {
  const grouped = {
    ...report,
    by: "agent",
    overall: [measured(null, "coder", 1, 1), measured(null, "answer-bot", 2, 3)],
    data: [measured("2026-01-05T00:00:00Z", "answer-bot", 2, 3), measured("2026-01-12T00:00:00Z", "coder", 1, 1)],
  };
  const { calls } = await open("/admin/agent-review/conversations/satisfaction?by=agent&bucket=day&start=2026-01-01", [], {
    "GET /api/conversations/satisfaction": ({ query }) => ({ body: query.get("by") ? grouped : report }),
  });
  const section = within(await screen.findByRole("region", { name: "All together" }));
  expect(section.getByText("75 %")).toBeTruthy();
  expect(section.getByText(/of 4 reactions of end users are OK; 95 % Wilson interval 38 to 75 %/)).toBeTruthy();
  const rows = within(section.getByRole("table", { name: "Satisfaction over time" })).getAllByRole("row");
  expect(rows.map((row) => row.textContent)).toEqual([
    "WhenRateLowHighReactions",
    "Week of 5 Jan 202650 %25 %50 %2",
    "Week of 12 Jan 2026100 %50 %100 %2",
  ]);
  const groups = within(await screen.findByRole("table", { name: "By agent" })).getAllByRole("row");
  expect(groups.slice(1).map((row) => row.textContent)).toEqual([
    "answer-bot67\u00a0%33 to 67\u00a0%2013",
    "coder100\u00a0%50 to 100\u00a0%1001",
  ]);
  expect(screen.getByRole("table", { name: "Satisfaction over time: coder" })).toBeTruthy();
  expect(asked(calls, "/api/conversations/satisfaction")).toMatchObject({ bucket: "day", start: "2026-01-01T00:00:00Z" });
});

test("the table for spreadsheets is of what is shown", async () => {
  const create = vi.fn(() => "blob:1");
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: create, revokeObjectURL: () => {} }));
  const { calls, user } = await open("/admin/agent-review/conversations/satisfaction?by=project&agent=coder", [], {
    "GET /api/conversations/satisfaction.csv": { body: "week,project" },
  });
  await user.click(await screen.findByRole("button", { name: "CSV" }));
  await waitFor(() => expect(create).toHaveBeenCalledOnce());
  expect(asked(calls, "/api/conversations/satisfaction.csv")).toMatchObject({ by: "project", agent: "coder", bucket: "week" });
});

test("a period in which nobody reacted has no rate", async () => {
  await open("/admin/agent-review/conversations/satisfaction", [], {
    "GET /api/conversations/satisfaction": { body: { ...report, overall: [measured(null, null, 0, 0)], data: [] } },
  });
  expect(await screen.findByText("Nobody reacted")).toBeTruthy();
});
