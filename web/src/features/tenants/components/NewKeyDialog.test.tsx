import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn } from "@/testing/render";
import { NewKeyDialog } from "./NewKeyDialog";

const emptyPage = { body: { data: [], next_cursor: null } };
const scopes = { body: { roles: [], scopes: [{ scope: "entities.team.read", description: "Read records" }] } };
const created = {
  id: "0190a000-0000-7000-8000-000000000003",
  name: "Notebook",
  prefix: "gl_ab",
  role: "contributor",
  key: "gl_ab_secret",
};

function open(post: { status?: number; body?: unknown }) {
  const calls = fakeServer({
    "GET /api/agents": emptyPage,
    "GET /api/keys": emptyPage,
    "GET /api/permissions": scopes,
    "POST /api/keys": post,
  });
  const onClose = vi.fn();
  renderSignedIn(<NewKeyDialog opened onClose={onClose} />);
  return { calls, onClose, user: userEvent.setup() };
}

test("a key without a name is not sent", async () => {
  const { calls, user } = open({ status: 201, body: created });
  await user.click(screen.getByRole("button", { name: "Save key" }));
  expect(await screen.findByText("Give the key a name")).toBeTruthy();
  expect(calls.filter((call) => call.method === "POST")).toEqual([]);
});

test("the secret is shown once, with an example, and is gone after closing", async () => {
  const { calls, onClose, user } = open({ status: 201, body: created });
  await user.type(screen.getByLabelText("Name"), " Notebook ");
  await user.selectOptions(screen.getByLabelText("Expires"), "never");
  await user.click(screen.getByRole("button", { name: "Save key" }));
  expect(await screen.findByText("gl_ab_secret")).toBeTruthy();
  expect(screen.getByText(/Authorization: Bearer gl_ab_secret/)).toBeTruthy();
  expect(calls.find((call) => call.method === "POST")?.body).toEqual({
    name: "Notebook",
    role: "contributor",
    expires_at: null,
  });
  await user.click(screen.getByRole("button", { name: "I have stored it" }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.queryByText("gl_ab_secret")).toBeNull();
});

test("the server's objection appears at the field", async () => {
  const { user } = open({
    status: 422,
    body: { detail: "Invalid.", code: "invalid", errors: [{ path: "/name", code: "taken", message: "Name is taken" }] },
  });
  await user.type(screen.getByLabelText("Name"), "Notebook");
  await user.click(screen.getByRole("button", { name: "Save key" }));
  expect(await screen.findByText("Name is taken")).toBeTruthy();
  expect(screen.getByLabelText("Name").getAttribute("aria-invalid")).toBe("true");
});

test("an agent's key needs an agent", async () => {
  const { user } = open({ status: 201, body: created });
  await user.type(screen.getByLabelText("Name"), "Bot");
  await user.click(screen.getByLabelText("An agent"));
  await user.click(screen.getByRole("button", { name: "Save key" }));
  expect(await screen.findByText("Choose an agent")).toBeTruthy();
});
