import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { invalidateChanged } from "@/features/live/lib/invalidation";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { detail, measured, proposal, row, support } from "@/testing/knowledge";
import { renderKnowledge } from "@/testing/renderKnowledge";

const HOME = "/admin/agent-review/knowledge";
const ROWS = "/api/admin/shared-context";
const MANAGES = ["knowledge.team.manage", "feedback.team.review", "tasks.team.manage"];
const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } });
const DIFF = {
  state: "active",
  truncated: false,
  scopes: [{ agent_id: null, entity_type_id: null, added: ["- [602] Give it in euros"], removed: [], first_changed_line: 4, tokens_before: 30, tokens_after: 42 }],
};

async function open(path: string, permissions: string[] = MANAGES, routes: Parameters<typeof fakeServer>[0] = {}) {
  const calls = fakeServer({
    "GET /api/agents": page(),
    "GET /api/agents/overview": page(),
    "GET /api/agents/defaults": { body: { model: null } },
    "GET /api/entity-types": page(),
    [`GET ${ROWS}`]: page(row, proposal),
    [`GET ${ROWS}/counts`]: { body: { data: [{ type: "correction", state: "active", count: 1, waits: 0 }, { type: "correction", state: "proposed", count: 1, waits: 1 }] } },
    [`POST ${ROWS}/uses`]: page({ id: row.id, sessions: 12 }, { id: proposal.id, sessions: 0 }),
    [`GET ${ROWS}/${row.id}`]: { body: detail },
    [`GET ${ROWS}/${proposal.id}`]: { body: { ...detail, ...proposal } },
    [`GET ${ROWS}/${row.id}/sessions`]: page(),
    [`GET ${ROWS}/${proposal.id}/sessions`]: page(),
    [`GET ${ROWS}/${row.id}/neighbours`]: { body: { data: [], compared: true, truncated: false } },
    [`GET ${ROWS}/${proposal.id}/neighbours`]: { body: { data: [], compared: true, truncated: false } },
    [`POST ${ROWS}/${row.id}/diff`]: { body: DIFF },
    [`POST ${ROWS}/${proposal.id}/diff`]: { body: DIFF },
    ...routes,
  });
  const view = await renderKnowledge(path, permissions);
  return { ...view, calls, user: userEvent.setup() };
}

const sent = (calls: Call[], path: string) => calls.filter((call) => call.method === "POST" && call.path === path).map(({ body }) => body);
const table = () => screen.findByRole("table", { name: "Knowledge" });
const pane = () => screen.findByRole("region", { name: "The open row" });

test("rows say what they rest on, what is known of their value, and in how many prompts they were", async () => {
  await open(HOME);
  const lines = within(await table()).getAllByRole("row");
  expect(lines.map((line) => line.textContent)).toEqual([
    expect.stringContaining("Prompts this week"),
    expect.stringContaining("Everywhere"),
    expect.stringContaining("Proposed"),
  ]);
  await waitFor(() => expect(lines[1]?.textContent).toMatch(/2 originsApproved, unmeasured14.*12$/));
  const tabs = screen.getByRole("navigation", { name: "Knowledge" });
  await waitFor(() => expect(within(tabs).getByRole("link", { name: /^Corrections ?2$/ })).toBeTruthy());
  expect(within(tabs).getByRole("link", { name: /^All ?2$/ }).getAttribute("aria-current")).toBe("page");
});

test("a value stands on its row with its interval and evidence, and what is proposed on it is decided as ever", async () => {
  const value = measured;
  const flagged = { ...detail, state: "shadow" as const, value, flags: ["helps" as const] };
  const { user } = await open(`${HOME}?row=${row.id}`, MANAGES, {
    [`GET ${ROWS}`]: page({ ...row, value: { ...value, stale: true, stale_because: ["agent"] } }),
    [`GET ${ROWS}/${row.id}`]: { body: flagged },
    [`GET ${ROWS}/${row.id}/value`]: page(value, { ...value, experiment_id: proposal.id, label: "no effect found", stale: true, stale_because: ["content"] }),
  });
  expect((await table()).textContent).toContain("Old: the agent has a newer version.");
  const part = within(await screen.findByRole("region", { name: "What it is worth" }));
  expect(part.getByText(/Replays with it pass 4.1 points more often than without it/)).toBeTruthy();
  expect(part.getByText("20 pairs on 3 goldens: 9 better with it, 1 worse, 10 the same.")).toBeTruthy();
  expect(part.getByText("Evidence that it helps: 21.1, and 20 is enough.")).toBeTruthy();
  await user.click(part.getByText("All measurements"));
  expect(await part.findByText(/No effect found, \+4\.1/)).toBeTruthy();
  await user.click(part.getByRole("button", { name: "Approve…" }));
  const dialog = await screen.findByRole("dialog", { name: "Approve" });
  expect(dialog.textContent).toContain("What it is worth: +4.1 (1.2 to 7.0)");
});

test("only whoever may begin an experiment is offered one, and by key it says why not", async () => {
  const { user } = await open(`${HOME}?row=${row.id}`);
  await screen.findByRole("region", { name: "What it is worth" });
  expect(screen.queryByRole("button", { name: /Measure/ })).toBeNull();
  await user.keyboard("m");
  expect(await screen.findByText("Your role does not include experiments.")).toBeTruthy();
});

test("a session that had it in its prompt is seen as soon as it has", async () => {
  let answer = page();
  const { queryClient } = await open(`${HOME}?row=${row.id}`, MANAGES, { [`GET ${ROWS}/${row.id}/sessions`]: () => answer });
  const where = within(await screen.findByRole("region", { name: "Where it was" }));
  expect(await where.findByText("No session has had it in its prompt.")).toBeTruthy();
  const id = "0190a000-0000-7000-8000-000000000901";
  answer = page({ id, agent: "reader", status: "running", cited: false, created_at: "2026-01-01T00:00:00Z", fields: [] });
  await act(() => invalidateChanged(queryClient, { topic: "sessions", subjects: [id] }));
  expect((await where.findByRole("link", { name: "reader" })).getAttribute("href")).toBe(`/sessions/${id}`);
});

test("an address narrows the list; a count of another list is not shown", async () => {
  const { calls, user, router } = await open(`${HOME}?type=correction&state=waits&q=euro`);
  await table();
  const asked = calls.find(({ path }) => path === ROWS);
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ limit: "100", type: "correction", waits: "true", q: "euro" });
  expect(screen.getByRole("link", { name: "Corrections" }).getAttribute("aria-current")).toBe("page");
  await user.selectOptions(screen.getByRole("combobox", { name: "Scope" }), "everywhere");
  await waitFor(() => expect(router.state.location.search).toEqual({ type: "correction", state: "waits", q: "euro", scope: "everywhere" }));
});

test("a proposal is put into words and approved after a look at its diff, and taken back", async () => {
  const { calls, user } = await open(`${HOME}?row=${proposal.id}`, MANAGES, {
    [`POST ${ROWS}/${proposal.id}/approve`]: { body: { ...proposal, state: "active", version: proposal.version + 1 } },
    [`POST ${ROWS}/${proposal.id}/undo`]: { body: proposal },
  });
  await within(await pane()).findByText(/copied out of feedback. A correction/);
  await user.keyboard("a");
  const dialog = await screen.findByRole("dialog", { name: "Approve" });
  const approve = within(dialog).getByRole("button", { name: "Approve" });
  expect(approve).toHaveProperty("disabled", true);
  await user.clear(within(dialog).getByRole("textbox", { name: /The rule/ }));
  await user.type(within(dialog).getByRole("textbox", { name: /The rule/ }), "Give it in euros");
  expect(await within(dialog).findByText("- [602] Give it in euros")).toBeTruthy();
  expect(dialog.textContent).toContain("30 → 42 tokens (+12) · caches are made anew from line 4 on");
  await waitFor(() => expect(sent(calls, `${ROWS}/${proposal.id}/diff`).at(-1)).toMatchObject({ state: "active", content: "Give it in euros" }));
  await user.click(approve);
  await waitFor(() => expect(sent(calls, `${ROWS}/${proposal.id}/approve`)).toEqual([{ version: proposal.version, content: "Give it in euros", context: row.context }]));
  await screen.findAllByText("Approved, unmeasured.");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("u");
  await waitFor(() => expect(sent(calls, `${ROWS}/${proposal.id}/undo`)).toEqual([{ version: proposal.version + 1 }]));
});

test("what the server refuses stays in the dialog", async () => {
  const { user } = await open(`${HOME}?row=${row.id}`, MANAGES, {
    [`POST ${ROWS}/${row.id}/retire`]: { status: 409, body: { code: "shared_context_state", detail: "It is retired already" } },
  });
  await within(await pane()).findByText("Both are right", { exact: false });
  await user.keyboard("r");
  const dialog = await screen.findByRole("dialog", { name: "Retire" });
  await user.click(within(dialog).getByRole("button", { name: "Retire" }));
  expect(await within(dialog).findByText("It is retired already")).toBeTruthy();
});

test("a step that its state does not have is not offered, and a key says so", async () => {
  const { user } = await open(`${HOME}?row=${row.id}`);
  const shown = await pane();
  await within(shown).findByRole("button", { name: /To shadow/ });
  expect(within(shown).queryByRole("button", { name: /Reject/ })).toBeNull();
  await user.keyboard("d");
  expect(await screen.findByText("Reject: not for what is active.")).toBeTruthy();
});

test("feedback that it rests on is dismissed where it is read, whatever was decided about it before", async () => {
  const applied = { ...support, status: "applied" };
  const { calls, user } = await open(`${HOME}?row=${row.id}`, MANAGES, {
    [`GET ${ROWS}/${row.id}`]: { body: { ...detail, support: [applied] } },
    [`POST ${ROWS}/${row.id}/support`]: { body: { changed: [support.feedback_id], row } },
  });
  await user.click(await within(await pane()).findByRole("button", { name: "Dismiss" }));
  await screen.findAllByText("Dismissed. It counts no more.");
  const dismissal = { feedback_ids: [support.feedback_id], dismissed: true };
  expect(sent(calls, `${ROWS}/${row.id}/support`)).toEqual([dismissal]);
  await user.keyboard("u");
  await waitFor(() => expect(sent(calls, `${ROWS}/${row.id}/support`)).toEqual([dismissal, { ...dismissal, dismissed: false }]));
});

test("a quote that counts as it did before is not said to be dismissed", async () => {
  const { user } = await open(`${HOME}?row=${row.id}`, MANAGES, {
    [`GET ${ROWS}/${row.id}`]: { body: { ...detail, support: [support] } },
    [`POST ${ROWS}/${row.id}/support`]: { body: { changed: [], row } },
  });
  await user.click(await within(await pane()).findByRole("button", { name: "Dismiss" }));
  await screen.findAllByText("It was dismissed before. Nothing changed.");
  expect(screen.queryByText("Dismissed. It counts no more.")).toBeNull();
});

test("lost support is struck through, and nothing at all is said in red", async () => {
  const lost = { ...support, lost: "dismissed", counts: false, status: "dismissed" };
  await open(`${HOME}?row=${row.id}`, MANAGES, { [`GET ${ROWS}/${row.id}`]: { body: { ...detail, origins: 0, support: [lost] } } });
  const quote = (await within(await pane()).findByText("The value is in dollars")).closest("li");
  expect(quote?.querySelector("del")).toBeTruthy();
  expect(quote?.textContent).toContain("Lost: it was dismissed");
  expect(within(quote as HTMLElement).getByRole("button", { name: "Restore" })).toBeTruthy();
});

test("rows that contradict each other stand side by side until both are kept", async () => {
  const other = { id: proposal.id, type: "correction", state: "active", content: "Give valuations in dollars", context: null, similarity: 0.83, likeness: "conflict", stated: false, kept: false };
  const { calls, user } = await open(`${HOME}?row=${row.id}`, MANAGES, {
    [`GET ${ROWS}/${row.id}/neighbours`]: { body: { data: [other], compared: true, truncated: false } },
    [`POST ${ROWS}/${row.id}/keep-both`]: { body: { data: [{ ...other, kept: true }], compared: true, truncated: false } },
  });
  expect(await screen.findByText("Contradicts")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Keep both" }));
  await waitFor(() => expect(sent(calls, `${ROWS}/${row.id}/keep-both`)).toEqual([{ other_id: proposal.id }]));
});

test("a contradiction that somebody stated and a list that is not all say so", async () => {
  const other = { id: proposal.id, type: "correction", state: "active", content: "Ask first", context: null, similarity: 0.02, likeness: "conflict", stated: true, kept: false };
  await open(`${HOME}?row=${row.id}`, MANAGES, { [`GET ${ROWS}/${row.id}/neighbours`]: { body: { data: [other], compared: true, truncated: true } } });
  expect(await screen.findByText(/says that they contradict each other/)).toBeTruthy();
  expect(screen.getByText(/only the newest rows are compared/)).toBeTruthy();
});

test("a quote says that it was flagged, and a score of a machine that it is no signal", async () => {
  const quotes = [{ ...support, flagged: true }, { ...support, feedback_id: proposal.id, comment: "Score 2", counts: false }];
  await open(`${HOME}?row=${row.id}`, MANAGES, { [`GET ${ROWS}/${row.id}`]: { body: { ...detail, support: quotes } } });
  const list = await pane();
  expect(await within(list).findByText("Flagged")).toBeTruthy();
  expect(within(list).getByText("No signal: a machine scored it elsewhere")).toBeTruthy();
});

test("an edit sends what changed, with the version that was read", async () => {
  const { calls, user } = await open(`${HOME}?row=${row.id}`, MANAGES, { [`PATCH ${ROWS}/${row.id}`]: { body: row } });
  await within(await pane()).findByRole("button", { name: /Edit/ });
  await user.keyboard("t");
  const dialog = await screen.findByRole("dialog", { name: "Change type" });
  await user.selectOptions(within(dialog).getByRole("combobox", { name: /Type/ }), "lesson");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(calls.find(({ method }) => method === "PATCH")?.body).toEqual({ type: "lesson", version: 3 }));
});

test("something new is written down and shown", async () => {
  const { calls, user, router } = await open(`${HOME}?new=1`, MANAGES, { [`POST ${ROWS}`]: { body: row } });
  const dialog = await screen.findByRole("dialog", { name: "New knowledge" });
  await user.type(within(dialog).getByRole("textbox", { name: /What agents are to know/ }), "Be brief");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent(calls, ROWS)).toEqual([expect.objectContaining({ type: "guideline", content: "Be brief", context: null, active: true })]));
  await waitFor(() => expect(router.state.location.search).toEqual({ row: row.id }));
});

test("an empty workspace says where knowledge comes from", async () => {
  await open(HOME, MANAGES, { [`GET ${ROWS}`]: page(), [`GET ${ROWS}/counts`]: { body: { data: [] } } });
  expect(await screen.findByText("Nothing was learnt yet")).toBeTruthy();
});

const PROMPT = {
  prompt: "<shared_context>\n- [601] Give valuations in euros\n</shared_context>",
  manifest: "a".repeat(64),
  tokens: 40,
  rows: [{ id: row.id, type: "correction", content: row.content, context: null, rank: 12.5, tokens: 14, reason: "number 1 of the corrections" }],
  left_out: { by_rank: 3, by_budget: 0, by_scope: 0, shadow: 1, lowest_included_rank: {} },
};

test("the prompt of a scope is shown with why each row is in it, and what is not", async () => {
  const { calls } = await open(`${HOME}/prompt?agent=reader&of=deal`, MANAGES, { "GET /api/shared-context/prompt": { body: PROMPT } });
  expect(await screen.findByText(/number 1 of the corrections · 14 tokens/)).toBeTruthy();
  expect(screen.getByText(/others of their type rank higher/).textContent).toMatch(/^3:/);
  expect(screen.getByRole("button", { name: "Copy prompt" })).toBeTruthy();
  const asked = calls.find(({ path }) => path === "/api/shared-context/prompt");
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ agent: "reader", entity_type: "deal" });
});

test("whoever only reads sees what prompts hold, and no list", async () => {
  const { calls } = await open(HOME, [], { "GET /api/shared-context/prompt": { body: { ...PROMPT, prompt: "", manifest: null, rows: [] } } });
  expect(await screen.findByText("Nothing is in this prompt")).toBeTruthy();
  expect(calls.some(({ path }) => path.startsWith(ROWS))).toBe(false);
  expect(screen.queryByRole("navigation", { name: "Knowledge" })).toBeNull();
});

test("the review agent is off until somebody says otherwise, and says that it has no model", async () => {
  const reviewer = { id: row.id, slug: "feedback-review-agent", name: "Feedback reviewer", runs_with: { version: 1, runtime: "built_in", model: null } };
  const { calls, user } = await open(`${HOME}/review`, MANAGES, {
    "GET /api/agents/overview": page(reviewer),
    [`GET ${ROWS}/settings`]: { body: { review: false, activates: false } },
    [`PUT ${ROWS}/settings`]: { body: { review: true, activates: false } },
  });
  expect(await screen.findByText("No model is configured")).toBeTruthy();
  await user.click(screen.getByRole("switch", { name: /Review feedback every hour/ }));
  await waitFor(() => expect(calls.find(({ method }) => method === "PUT")?.body).toEqual({ review: true, activates: false }));
  await waitFor(() => expect(screen.getByRole("switch", { name: /Review feedback every hour/ })).toHaveProperty("checked", true));
});
