import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Key } from "@/api/types";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn } from "@/testing/render";
import { KeysTable } from "./KeysTable";

function table(status?: Key["status"]) {
  return <KeysTable status={status} sort={{ key: "name", dir: "asc" }} onSort={() => {}} empty={<p>No keys</p>} />;
}

test.each([
  ["nothing", { body: { data: [], next_cursor: null } }, "No keys"],
  ["no access", { status: 403, body: { code: "forbidden", detail: "No." } }, "You do not have access to this"],
  ["a failure", { status: 500, body: { code: "internal", detail: "It broke." } }, "It broke."],
])("%s is said in words", async (_name, reply, sentence) => {
  fakeServer({ "GET /api/keys": reply });
  renderSignedIn(table());
  expect(await screen.findByText(sentence)).toBeTruthy();
});

const key = {
  id: "0190a000-0000-7000-8000-000000000004",
  name: "Notebook",
  prefix: "gl_ab",
  role: "contributor",
  status: "active",
  scopes: null,
  holder: { id: "0190a000-0000-7000-8000-000000000001", kind: "user", name: "Ada" },
  created_by: { id: "0190a000-0000-7000-8000-000000000001", kind: "user", name: "Ada" },
  created_at: "2026-01-01T00:00:00Z",
  expires_at: null,
  last_used_at: null,
};

test("the server chooses by status, so that none means none", async () => {
  const calls = fakeServer({ "GET /api/keys": { body: { data: [], next_cursor: null } } });
  renderSignedIn(table("active"));
  expect(await screen.findByText("No active keys")).toBeTruthy();
  expect(calls[0]?.query.get("status")).toBe("active");
});

test.each([
  ["more", "next", true],
  ["nothing more", null, false],
])("with %s to load, the table says what it sorts: %s", async (_name, next_cursor, said) => {
  const calls = fakeServer({ "GET /api/keys": { body: { data: [key], next_cursor } } });
  renderSignedIn(table());
  expect(await screen.findByText("Notebook")).toBeTruthy();
  expect(screen.queryByText("Sorted among the 1 API keys loaded; there are more.") !== null).toBe(said);
  expect(calls[0]?.query.has("status")).toBe(false);
});
