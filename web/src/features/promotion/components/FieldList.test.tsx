import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { company, northwind, promotion, response } from "@/testing/records";
import { renderAt } from "@/testing/renderAt";
import { FieldList } from "./FieldList";

const entity = { ...northwind, content: { name: "Northwind Inc.", revenue: 43.2 } };
const at = `/api/entities/${northwind.id}`;
const other = { ...response, id: "0190a000-0000-7000-8000-000000000052", values: { revenue: 40 } };
const preview = {
  entity_id: entity.id,
  response_id: other.id,
  version: 3,
  status_after: "promoted",
  fields: [{ dimension: "revenue", field: "revenue", value: 40, value_before: 43.2, present_before: true, changes: true }],
  errors: [] as unknown[],
};

async function open(permissions: string[], errors: unknown[] = [], alternate: object = other) {
  const calls = fakeServer({
    [`GET ${at}/fields`]: { body: { data: [promotion] } },
    [`GET ${at}/responses`]: { body: { data: [alternate, response], next_cursor: null } },
    [`POST ${at}/responses/${other.id}/promote/preview`]: { body: { ...preview, errors } },
    [`POST ${at}/responses/${other.id}/promote`]: { body: other },
    [`GET ${at}/responses/${response.id}`]: { body: response },
    [`GET ${at}/fields/revenue/history`]: { body: { data: [promotion], next_cursor: null } },
    [`POST ${at}/responses/${response.id}/undo`]: { body: response },
  });
  await renderAt(`/records/${entity.id}`, <FieldList entity={entity} entityType={company} />, permissions);
  return { calls, user: userEvent.setup() };
}

test("each value stands with its source, and a proposal is promoted in place after a look at it", async () => {
  const { calls, user } = await open(["entities.team.update"]);
  const link = await screen.findByRole("link", { name: "Promoted from Filing reader by Ada" });
  expect(link.getAttribute("href")).toContain(response.id);
  await user.click(screen.getByRole("button", { name: "1 alternate for Revenue (USD m)" }));
  await user.click(await screen.findByRole("button", { name: "Promote Revenue (USD m) from Filing reader" }));
  const confirm = await screen.findByRole("button", { name: "Promote" });
  expect(document.activeElement).toBe(confirm);
  expect(screen.getByRole("deletion").textContent).toBe("43.2");
  expect(screen.getByRole("insertion").textContent).toBe("40");
  await user.keyboard("{Enter}");
  expect(calls.find((call) => call.path.endsWith("/promote"))?.body).toEqual({ fields: ["revenue"], expected_version: 3 });
});

test("what keeps a value from being promoted is named, and the button is shut", async () => {
  const { user } = await open(["entities.team.update"], [{ path: "/content/revenue", code: "minimum", message: "Too small" }]);
  await user.click(await screen.findByRole("button", { name: "1 alternate for Revenue (USD m)" }));
  await user.click(await screen.findByRole("button", { name: "Promote Revenue (USD m) from Filing reader" }));
  expect(await screen.findByText("Too small")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Promote" }).hasAttribute("disabled")).toBe(true);
});

test("without the right there is a hint instead of a button", async () => {
  const { user } = await open([]);
  await user.click(await screen.findByRole("button", { name: "1 alternate for Revenue (USD m)" }));
  expect(await screen.findByText("Reviewers and admins can promote this")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Promote/ })).toBeNull();
});

test("the history opens by address and undoes the promotion that is current", async () => {
  const { calls, user } = await open(["entities.team.update"]);
  await user.click(await screen.findByRole("button", { name: "History of Revenue (USD m)" }));
  const drawer = await screen.findByRole("dialog");
  expect(await within(drawer).findByText("Ada promoted a proposal of Filing reader")).toBeTruthy();
  await user.click(within(drawer).getByRole("button", { name: "Undo" }));
  expect(calls.find((call) => call.path.endsWith("/undo"))?.body).toEqual({ fields: ["revenue"] });
});

test("every field has a history, also one that has no value and no source", async () => {
  const { user } = await open([]);
  fakeServer({ [`GET ${at}/fields/listedOn/history`]: { body: { data: [], next_cursor: null } } });
  await user.click(await screen.findByRole("button", { name: "History of Listed on" }));
  expect(await screen.findByText("Nothing has changed here yet.")).toBeTruthy();
});

test("a superseded proposal says why it cannot be promoted instead of leading nowhere", async () => {
  const superseded = { ...other, status: "superseded", promoted_fields: ["revenue"] };
  const { user } = await open(["entities.team.update"], [], superseded);
  await user.click(await screen.findByRole("button", { name: "1 alternate for Revenue (USD m)" }));
  expect(await screen.findByText("Newer responses took its place")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Promote/ })).toBeNull();
});
