import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn } from "@/testing/render";
import { KeysTable } from "./KeysTable";

const table = <KeysTable status="all" sort={{ key: "name", dir: "asc" }} onSort={() => {}} empty={<p>No keys</p>} />;

test.each([
  ["nothing", { body: { data: [], next_cursor: null } }, "No keys"],
  ["no access", { status: 403, body: { code: "forbidden", detail: "No." } }, "You do not have access to this"],
  ["a failure", { status: 500, body: { code: "internal", detail: "It broke." } }, "It broke."],
])("%s is said in words", async (_name, reply, sentence) => {
  fakeServer({ "GET /api/keys": reply });
  renderSignedIn(table);
  expect(await screen.findByText(sentence)).toBeTruthy();
});
