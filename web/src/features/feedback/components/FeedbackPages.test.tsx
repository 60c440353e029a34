import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { detail, feedback, group, otherFeedback, otherGroup, reviewedBy } from "@/testing/feedback";
import { renderFeedback } from "@/testing/renderFeedback";

const GROUPS = "/admin/agent-review/feedback";
const REVIEWS = ["feedback.team.review"];
const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } });
const FOREVER = "2999-01-01T00:00:00Z";

async function open(path: string, permissions: string[] = REVIEWS, routes: Parameters<typeof fakeServer>[0] = {}) {
  const calls = fakeServer({
    "GET /api/agents": page(),
    "GET /api/entity-types": page(),
    "GET /api/feedback": page(feedback, otherFeedback),
    "GET /api/feedback/groups": page(group, otherGroup),
    [`GET /api/feedback/groups/${group.id}`]: { body: group },
    [`GET /api/feedback/groups/${group.id}/members`]: ({ query }: Call) => (query.get("near") === "true" ? page() : page(feedback, otherFeedback)),
    [`GET /api/feedback/groups/${otherGroup.id}/members`]: page(),
    [`GET /api/feedback/groups/${otherGroup.id}`]: { body: otherGroup },
    [`GET /api/feedback/${feedback.id}`]: { body: detail },
    [`GET /api/feedback/${otherFeedback.id}`]: { body: { ...detail, ...otherFeedback } },
    ...routes,
  });
  const view = await renderFeedback(path, permissions);
  return { ...view, calls, user: userEvent.setup() };
}

const sent = (calls: Call[], path: string) => calls.filter((call) => call.method === "POST" && call.path === path).map(({ body }) => body);
const members = () => screen.findByRole("list", { name: "In search" });

test("groups, members and the source are shown together, the first of each", async () => {
  const { calls } = await open(GROUPS);
  const groups = await screen.findByRole("list", { name: "Groups of feedback" });
  expect(within(groups).getAllByRole("listitem").map((row) => row.textContent)).toEqual([
    expect.stringContaining("By tool2 origins"),
    expect.stringContaining("By wording"),
  ]);
  expect((await members()).textContent).toContain("Nothing is found by number");
  expect(await screen.findByText("About the tool")).toBeTruthy();
  const asked = calls.find(({ path }) => path === "/api/feedback/groups");
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ limit: "100", state: "open", proposed: "true", waits: "true" });
});

test("an address says which group and member are shown, and narrows", async () => {
  const { calls, user, router } = await open(`${GROUPS}?rating=negative&kind=tool&group=${group.id}&feedback=${otherFeedback.id}`);
  expect((await within(await screen.findByRole("region", { name: "Where it comes from" })).findByText("Nothing is found by number")).tagName).toBe("BLOCKQUOTE");
  const asked = calls.find(({ path }) => path === "/api/feedback/groups");
  expect(Object.fromEntries(asked?.query ?? [])).toMatchObject({ rating: "negative", kind: "tool" });
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "dismissed");
  await waitFor(() => expect(router.state.location.search).toEqual({ rating: "negative", kind: "tool", state: "dismissed" }));
});

test("a group is reviewed by key with one note, told for each, and taken back", async () => {
  const { calls, user } = await open(GROUPS, REVIEWS, {
    [`POST /api/feedback/groups/${group.id}/review`]: {
      body: {
        data: [
          { id: feedback.id, outcome: "done", feedback },
          { id: otherFeedback.id, outcome: "already", feedback: reviewedBy(otherFeedback, "Ben", FOREVER) },
        ],
        done: 1,
        decision_id: "d1",
      },
    },
    "POST /api/feedback/decisions/d1/undo": { body: group },
  });
  await members();
  await user.keyboard("a");
  const dialog = await screen.findByRole("dialog", { name: "Review" });
  expect(dialog.textContent).toContain("2 items wait in this group.");
  await user.type(within(dialog).getByRole("textbox", { name: /Note/ }), "Index rebuilt");
  await user.click(within(dialog).getByText("Applied"));
  await user.click(within(dialog).getByRole("button", { name: "Mark as applied" }));
  const told = await screen.findByRole("dialog", { name: "What happened" });
  expect(told.textContent).toContain("Ben was first, and applied it: Index rebuilt");
  expect(sent(calls, `/api/feedback/groups/${group.id}/review`)).toEqual([{ status: "applied", review_notes: "Index rebuilt" }]);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("u");
  await waitFor(() => expect(sent(calls, "/api/feedback/decisions/d1/undo")).toHaveLength(1));
  await screen.findAllByText("Taken back.");
});

test("members are selected by key and split off, and u says that others have decided since", async () => {
  const rest = { ...group, members: 1 };
  const { calls, user } = await open(GROUPS, REVIEWS, {
    [`POST /api/feedback/groups/${group.id}/split`]: { body: { group: null, rest, decision_id: "d1" } },
    "POST /api/feedback/decisions/d1/undo": { status: 409, body: { code: "feedback_decision_overtaken", detail: "Overtaken", conflict: {} } },
  });
  await members();
  await user.keyboard("j"); // to the other group
  await user.keyboard("k");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement?.closest("[data-pane]")?.getAttribute("data-pane")).toBe("members"));
  await user.keyboard("x");
  expect(await screen.findByRole("group", { name: "1 selected" })).toBeTruthy();
  await user.keyboard("s");
  await waitFor(() => expect(sent(calls, `/api/feedback/groups/${group.id}/split`)).toEqual([{ ids: [feedback.id] }]));
  await screen.findAllByText("1 split off.");
  await user.keyboard("u");
  await waitFor(() => expect(sent(calls, "/api/feedback/decisions/d1/undo")).toHaveLength(1));
  await screen.findAllByText("Nothing was taken back: others have decided since.");
});

test("a group is dismissed with the reason of a digit; whoever was first is named", async () => {
  const { calls, user } = await open(GROUPS, REVIEWS, {
    [`POST /api/feedback/groups/${group.id}/dismiss`]: {
      status: 409,
      body: { code: "feedback_group_decided", detail: "Decided", conflict: { state: "snoozed", decided_by: { kind: "user", id: null, name: "Ben" } } },
    },
  });
  await members();
  await user.keyboard("d");
  await screen.findByRole("dialog", { name: "Dismiss" });
  await user.keyboard("4");
  expect(screen.getByRole("radio", { name: /One-off/ })).toHaveProperty("checked", true);
  await user.keyboard("{Enter}");
  expect((await screen.findByRole("dialog", { name: "What happened" })).textContent).toContain("Ben was first, and snoozed it");
  expect(sent(calls, `/api/feedback/groups/${group.id}/dismiss`)).toEqual([{ reason: "one_off" }]);
});

test("whoever may not review sees their own feedback and takes it back", async () => {
  const { calls, user } = await open(GROUPS, ["feedback.own.read"], {
    "GET /api/feedback": page(feedback),
    [`DELETE /api/feedback/${feedback.id}`]: { body: { ...feedback, status: "dismissed" } },
  });
  expect(await screen.findByText(/feedback that you gave/)).toBeTruthy();
  expect(screen.queryByRole("navigation", { name: "Feedback" })).toBeNull();
  expect(screen.queryByRole("checkbox")).toBeNull();
  await user.click(await screen.findByRole("button", { name: "Take back" }));
  await waitFor(() => expect(calls.some(({ method, path }) => method === "DELETE" && path === `/api/feedback/${feedback.id}`)).toBe(true));
  expect(calls.some(({ path }) => path.includes("/groups"))).toBe(false);
});

test("what is in no group is not hidden: it has a page of its own", async () => {
  const { calls } = await open(`${GROUPS}/single`);
  await screen.findByRole("list", { name: "Feedback" });
  const asked = calls.find(({ path }) => path === "/api/feedback");
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ limit: "100", status: "pending", grouped: "false" });
});

test("figures of the loop stand with their intervals, and nothing counted is no zero", async () => {
  const share = { share: 0.5, low: 0.25, high: 0.75, count: 2, n: 4 };
  const none = { share: null, low: null, high: null, count: 0, n: 0 };
  await open(`${GROUPS}/quality`, REVIEWS, {
    "GET /api/feedback/settings": { body: { reruns: 2 } },
    "GET /api/feedback/quality-loop": {
      body: {
        attempts: 4,
        rejections: 2,
        reruns: 1,
        waiting: 0,
        feedback_quality: { value: 80, low: 60, high: 100, n: 2 },
        accepted_first: share,
        accepted_after_rerun: none,
        by_quality: [{ grade: "poor", accepted: none }],
        evidence_first: share,
        evidence_after_rerun: none,
        hours_to_acceptance: { value: null, low: null, high: null, n: 0 },
      },
    },
  });
  const first = (await screen.findByText("Accepted the first time")).parentElement;
  expect(first?.textContent).toContain("25 to 75\u00a0% · 2 of 4 decided");
  expect(screen.getByText("Accepted after trying again").parentElement?.textContent).toContain("–Nothing to count yet");
});

test("an import is looked at first, and what changes must be looked at again", async () => {
  const report = { kind: "langfuse", dry_run: true, read: 2, new: 1, existing: 0, left_out: 1, rejected: 0, rejects: [] };
  const { calls, user } = await open(`${GROUPS}/import`, REVIEWS, {
    "GET /api/feedback/import": { body: { data: ["langfuse", "phoenix"] } },
    "POST /api/feedback/import": ({ body }: Call) => ({
      body: { ...report, dry_run: (body as { dry_run: boolean }).dry_run, unmapped: [{ name: "tone", count: 1, examples: ["bad"] }], preview: [{ rating: "positive", comment: "Good" }] },
    }),
  });
  const input = await waitFor(() => document.querySelector<HTMLInputElement>("input[type=file]") ?? Promise.reject(new Error("no input")));
  await user.upload(input, new File(["{}"], "scores.jsonl", { type: "application/json" }));
  await screen.findByText("scores.jsonl");
  await user.click(screen.getByRole("button", { name: "Preview" }));
  expect(await screen.findByText("2 rows read: 1 row would be imported, 1 left out.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "New rule for tone" }));
  expect(screen.getByRole("textbox", { name: /Rules/ })).toHaveProperty("value", "tone=");
  expect(screen.queryByRole("button", { name: /^Import/ })).toBeNull();
  await user.type(screen.getByRole("textbox", { name: /Rules/ }), "bad:negative");
  await user.click(screen.getByRole("button", { name: "Preview" }));
  await user.click(await screen.findByRole("button", { name: "Import 1 row" }));
  await waitFor(() => expect(sent(calls, "/api/feedback/import").map((body) => (body as { dry_run: boolean }).dry_run)).toEqual([true, true, false]));
  expect(sent(calls, "/api/feedback/import").at(-1)).toMatchObject({ rules: ["tone=bad:negative"], neutral_rest: false });
});
