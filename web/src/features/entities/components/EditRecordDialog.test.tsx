import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { company, northwind } from "@/testing/records";
import { renderSignedIn } from "@/testing/render";
import { EditRecordDialog } from "./EditRecordDialog";

const at = `/api/entities/${northwind.id}`;
const theirs = { ...northwind, version: 4, content: { name: "Theirs", revenue: 50 } };
const conflict = { status: 409, body: { code: "version_conflict", detail: "The record is at version 4, not 3" } };

const writes = (calls: Call[]) => calls.filter(({ method }) => method !== "GET");

function open(routes: Parameters<typeof fakeServer>[0]) {
  const calls = fakeServer(routes);
  const onClose = vi.fn();
  renderSignedIn(<EditRecordDialog opened entity={northwind} entityType={company} onClose={onClose} />);
  return { calls, onClose, user: userEvent.setup() };
}

test("only what was changed is written, with the version that was read", async () => {
  const { calls, onClose, user } = open({ [`PATCH ${at}`]: { body: northwind } });
  await user.clear(screen.getByLabelText("Revenue (USD m)"));
  await user.type(screen.getByLabelText("Listed on"), "OSE");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(writes(calls)[0]?.body).toEqual({ version: 3, content: { name: "Northwind Inc.", listedOn: "OSE" } });
});

test("nothing is sent when nothing was changed", async () => {
  const { calls, onClose, user } = open({});
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(writes(calls)).toEqual([]);
});

test("when somebody was faster both versions are shown, and one's own go on top of theirs", async () => {
  const { onClose, user } = open({ [`PATCH ${at}`]: conflict, [`GET ${at}`]: { body: theirs } });
  await user.clear(screen.getByLabelText("Revenue (USD m)"));
  await user.type(screen.getByLabelText("Revenue (USD m)"), "60");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Both changed it")).toBeTruthy();
  const again = fakeServer({ [`PATCH ${at}`]: { body: theirs } });
  await user.click(screen.getByRole("button", { name: "Apply mine on top" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(again[0]?.body).toEqual({ version: 4, content: { name: "Theirs", revenue: 60 } });
});

test("or one's own are let go, and the form begins with theirs", async () => {
  const { user } = open({ [`PATCH ${at}`]: conflict, [`GET ${at}`]: { body: theirs } });
  await user.type(screen.getByLabelText("Listed on"), "OSE");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.click(await screen.findByRole("button", { name: "Discard mine and reload" }));
  expect((await screen.findByLabelText<HTMLInputElement>(/Legal name/)).value).toBe("Theirs");
  expect(screen.getByLabelText<HTMLInputElement>("Listed on").value).toBe("");
});

test("the server's objection stands at its field", async () => {
  const { user } = open({
    [`PATCH ${at}`]: {
      status: 422,
      body: { code: "invalid_input", errors: [{ path: "/content/revenue", code: "minimum", message: "Too small" }] },
    },
  });
  await user.type(screen.getByLabelText("Revenue (USD m)"), "1");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Too small")).toBeTruthy();
});
