import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from "@tanstack/react-router";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn } from "@/testing/render";
import { CriteriaSetEditor } from "./CriteriaSetEditor";

const company = {
  slug: "company",
  name: "Company",
  json_schema: { type: "object", properties: { summary: { type: "string" } } },
  field_configs: { vendors: { relation: { target_type: "vendor" } } },
};

async function open(reply: { status?: number; body?: unknown } = { status: 201, body: { id: "s" } }) {
  const calls = fakeServer({
    "GET /api/entity-types": { body: { data: [company], next_cursor: null } },
    "POST /api/criteria-sets": reply,
  });
  const onSaved = vi.fn();
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <CriteriaSetEditor set={null} onSaved={onSaved} /> }),
    history: createMemoryHistory(),
  });
  renderSignedIn(<RouterProvider router={router as never} />);
  await screen.findByRole("form", { name: "Criteria set" });
  return { calls, onSaved, user: userEvent.setup() };
}

const create = () => screen.getByRole("button", { name: "Save criteria set" });
const preview = () => within(screen.getByRole("region", { name: "Preview" }));

test("a set is put together, seen as a form and sent", async () => {
  const { calls, onSaved, user } = await open();
  await user.type(screen.getByLabelText(/^Name/), "Support quality");
  await user.click(screen.getByRole("button", { name: "Rating" }));
  await user.type(screen.getByLabelText(/^Label/), "Helpful");
  expect(preview().getByRole("radiogroup", { name: /Helpful/ })).toBeTruthy();
  await user.click(create());
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith({ id: "s" }));
  expect(calls.find(({ method }) => method === "POST")?.body).toEqual({
    slug: "support-quality",
    name: "Support quality",
    kind: "assessment",
    description: null,
    entity_type_slugs: null,
    temporal_key: null,
    display_type: null,
    display_config: null,
    scope: null,
    dimensions: [{ key: "helpful", label: "Helpful", type: "rating", scale: [1, 5], weight: 1, required: false }],
  });
});

test("what the server would refuse is refused here, at its place", async () => {
  const { calls, user } = await open();
  await user.type(screen.getByLabelText(/^Name/), "Set");
  await user.click(screen.getByRole("button", { name: "Choice" }));
  await user.type(screen.getByLabelText(/^Label/), "Verdict");
  await user.click(screen.getByRole("button", { name: /^Verdict/, expanded: true }));
  await user.click(create());
  expect(await screen.findByText("A select needs at least one option")).toBeTruthy();
  expect(screen.getByLabelText(/^Options/).getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("1 thing to put right above")).toBeTruthy();
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
});

test("what only the server knows stands at its place as well", async () => {
  const { user } = await open({
    status: 422,
    body: { code: "invalid_input", errors: [{ path: "/slug", code: "reserved_slug", message: "Reserved" }] },
  });
  await user.type(screen.getByLabelText(/^Name/), "Default x");
  await user.click(screen.getByRole("button", { name: "Text" }));
  await user.type(screen.getByLabelText(/^Label/), "Why");
  await user.click(create());
  expect(await screen.findByText("Reserved")).toBeTruthy();
  expect(screen.getByLabelText(/^Slug/).getAttribute("aria-invalid")).toBe("true");
});

test("a matrix is seen while it is made", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {}); // half of its labels are no labels yet
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Rating" }));
  await user.type(screen.getByLabelText(/^Label/), "Pain");
  await user.click(screen.getByLabelText("Likert matrix"));
  await user.type(screen.getByLabelText("Label of the lowest"), "None");
  await user.type(screen.getByLabelText("Label of the highest"), "All");
  expect(preview().getByRole("radio", { name: "1, None" })).toBeTruthy();
  expect(preview().getByRole("radio", { name: "5, All" })).toBeTruthy();
});
