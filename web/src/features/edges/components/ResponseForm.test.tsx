import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { CriteriaSet, Entity } from "@/api/types";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { renderSignedIn } from "@/testing/render";
import { ResponseForm } from "./ResponseForm";
import { ResponseFormBlock } from "./ResponseFormBlock";

const set = {
  id: "0190a000-0000-7000-8000-00000000000a",
  name: "Quality",
  kind: "assessment",
  dimensions: [
    { key: "good", label: "Good", type: "rating", scale: [1, 5], weight: 1, required: true },
    { key: "why", label: "Why", type: "text", required: false },
  ],
} as unknown as CriteriaSet;

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const entity = { id: "0190a000-0000-7000-8000-00000000000b" } as Entity;
const path = `/api/entities/${entity.id}/responses`;

function open(reply: { status?: number; body?: unknown }, criteriaSet: CriteriaSet = set) {
  const calls = fakeServer({ [`POST ${path}`]: reply });
  const onSubmitted = vi.fn();
  renderSignedIn(<ResponseForm entityId={entity.id} criteriaSet={criteriaSet} onSubmitted={onSubmitted} />);
  return { calls, onSubmitted, user: userEvent.setup() };
}

/** The form also reads its record, for what it holds. */
const sentIn = (calls: readonly Call[]) => calls.filter(({ method }) => method === "POST");

const choose = (user: ReturnType<typeof userEvent.setup>, value: string) =>
  user.click(within(screen.getByRole("radiogroup", { name: /Good/ })).getByRole("radio", { name: value }));
const submit = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole("button", { name: "Submit response" }));

test("what is missing is said before anything is sent, with the cursor at it", async () => {
  const { calls, user } = open({});
  await submit(user);
  expect(screen.getByRole("alert").textContent).toBe("Good is needed");
  await waitFor(() => expect(document.activeElement?.getAttribute("type")).toBe("radio"));
  expect(sentIn(calls)).toEqual([]);
  await choose(user, "2");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the score follows the answers", async () => {
  const { user } = open({});
  expect(screen.getByRole("status", { name: "Score preview" }).textContent).toContain("No score yet");
  await choose(user, "4");
  expect(screen.getByRole("status", { name: "Score preview" }).textContent).toContain("75");
});

test("values, notes and evidence are sent; what is empty is not", async () => {
  const { calls, onSubmitted, user } = open({ status: 201, body: { id: "r" } });
  await choose(user, "4");
  await user.type(screen.getByLabelText("Notes"), " Fine ");
  await user.click(screen.getByRole("button", { name: /Evidence/ }));
  await user.selectOptions(screen.getByLabelText("New evidence for"), "good");
  await user.selectOptions(screen.getByLabelText("Confidence"), "high");
  await user.click(screen.getByRole("button", { name: "New source" }));
  await user.click(screen.getByRole("button", { name: "New source" }));
  await user.type(screen.getByLabelText("Address of source 2 of Good"), "https://a.b");
  await submit(user);
  await waitFor(() => expect(onSubmitted).toHaveBeenCalledWith({ id: "r" }));
  expect(calls.find(({ method }) => method === "POST")?.body).toEqual({
    id: expect.stringMatching(UUID7),
    criteria_set_id: set.id,
    values: { good: 4 },
    notes: "Fine",
    field_meta: { good: { confidence: "high", sources: [{ type: "web", url: "https://a.b" }] } },
  });
});

test("the server's objection stands at its field until it is changed, and nothing typed is lost", async () => {
  const { onSubmitted, user } = open({
    status: 422,
    body: { code: "invalid_input", errors: [{ path: "/values/why", code: "x", message: "Not like this" }] },
  });
  await choose(user, "4");
  await user.type(screen.getByLabelText("Why"), "because");
  await submit(user);
  expect(await screen.findByText("Not like this")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Why").value).toBe("because");
  expect(onSubmitted).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText("Why"), "!");
  expect(screen.queryByText("Not like this")).toBeNull();
});

test("a failure that no field can show stands above the form", async () => {
  const { user } = open({ status: 409, body: { code: "criteria_set_changed", detail: "Try again" } });
  await choose(user, "4");
  await submit(user);
  expect((await screen.findByRole("alert")).textContent).toBe("Try again");
});

test("a temporal set asks which snapshot it is", async () => {
  const temporal = { ...set, kind: "temporal", temporal_key: "visit" } as CriteriaSet;
  const { calls, onSubmitted, user } = open({ status: 201, body: { id: "r" } }, temporal);
  await choose(user, "4");
  await submit(user);
  expect(screen.getByRole("alert").textContent).toBe("Say which visit this is about");
  await user.type(screen.getByLabelText(/^Visit/), "first");
  await submit(user);
  await waitFor(() => expect(onSubmitted).toHaveBeenCalled());
  expect(sentIn(calls).at(-1)?.body).toMatchObject({ temporal_value: "first" });
});

test("the block shows what there is, takes a response and shows again", async () => {
  const stored = { id: "r", created_at: "2026-01-01T00:00:00Z", normalized_score: 0.58, status: "submitted" };
  fakeServer({
    [`GET ${path}`]: { body: { data: [{ ...stored, status: "rejected" }, stored], next_cursor: null } },
    [`GET ${path}/aggregate`]: { body: { count: 2, raters: { count: 2, more: false, median: 50, min: 42, max: 58, spread: 11.31, disagree: false } } },
    [`POST ${path}`]: { status: 201, body: stored },
  });
  const user = userEvent.setup();
  const { queryClient } = renderSignedIn(<ResponseFormBlock entity={entity} criteriaSet={set} />);
  queryClient.setQueryData(["workspace", "engines"], (before: object) => ({
    ...before,
    permissions: ["responses.team.create"],
  }));
  expect(await screen.findByText("Latest score 58")).toBeTruthy();
  expect(screen.getByText(/2 responses/)).toBeTruthy();
  expect(screen.getByText("2 raters, 42–58")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Respond" }));
  await choose(user, "4");
  await submit(user);
  expect(await screen.findByRole("button", { name: "Respond" })).toBe(document.activeElement);
});

const idsOf = (calls: readonly Call[]) => sentIn(calls).map(({ body }) => (body as { id: string }).id);

test("after a lost answer the same response is sent again, also from a form that was closed meanwhile", async () => {
  const { calls, user } = open({ status: 503 });
  await choose(user, "4");
  await submit(user);
  await screen.findByRole("alert");
  await submit(user);
  await waitFor(() => expect(sentIn(calls)).toHaveLength(2));
  cleanup();
  const again = open({ status: 201, body: { id: "r" } });
  expect(screen.getByText(/it was kept/)).toBeTruthy();
  await submit(again.user);
  await waitFor(() => expect(again.onSubmitted).toHaveBeenCalled());
  expect(new Set([...idsOf(calls), ...idsOf(again.calls)]).size).toBe(1);
});

test("a submitted response leaves no draft behind, and the next one is another", async () => {
  const first = open({ status: 201, body: { id: "r" } });
  await choose(first.user, "4");
  await submit(first.user);
  await waitFor(() => expect(first.onSubmitted).toHaveBeenCalled());
  cleanup();
  const second = open({ status: 201, body: { id: "s" } });
  expect(screen.queryByText(/it was kept/)).toBeNull();
  await choose(second.user, "4");
  await submit(second.user);
  await waitFor(() => expect(second.onSubmitted).toHaveBeenCalled());
  expect(idsOf(first.calls)).not.toEqual(idsOf(second.calls));
});

test("what was changed after it had arrived can be added as another", async () => {
  const { calls, user } = open({ status: 409, body: { code: "response_exists" } });
  await choose(user, "4");
  await submit(user);
  expect((await screen.findByRole("alert")).textContent).toContain("has arrived after all");
  await submit(user);
  await waitFor(() => expect(sentIn(calls)).toHaveLength(2));
  expect(new Set(idsOf(calls)).size).toBe(2);
});
