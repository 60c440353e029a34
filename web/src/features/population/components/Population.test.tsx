import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { listedAgent } from "@/testing/agents";
import { fakeServer } from "@/testing/fakeServer";
import { company, northwind } from "@/testing/records";
import { renderAt } from "@/testing/renderAt";
import { PopulateRecord, PopulationLine } from "./PopulateRecord";

const RUNS = { runtime: "built_in" as const, model: null, version: 1 };
const populator = { ...listedAgent, slug: "field-populator", name: "Field populator", is_system: true, runs_with: RUNS };
const other = { ...listedAgent, runs_with: { ...RUNS, model: "openai:gpt-6" } };
const elsewhere = { ...listedAgent, slug: "elsewhere", name: "Elsewhere" };
const PATH = `/api/entities/${northwind.id}/populate`;
const DIMENSIONS = [
  { key: "size", label: "Size", type: "number" },
  { key: "stage", label: "Stage", type: "select", options: ["seed"] },
];
const page = (data: unknown[]) => ({ body: { data, next_cursor: null } });
const session = (more: object) => ({
  id: "0190a000-0000-7000-8000-000000000041",
  purpose: "populate",
  status: "running",
  agent: "field-populator",
  events: 9,
  error: null,
  dismissed_at: null,
  progress: null,
  ...more,
});

function serve(sessions: unknown[] = [], more: Parameters<typeof fakeServer>[0] = {}) {
  return fakeServer({
    "GET /api/agents/overview": page([elsewhere, populator, other]),
    "GET /api/agents/defaults": { body: { model: null } },
    "GET /api/criteria-sets": page([{ id: "s", slug: "default-company", name: "Fields", is_default: true, kind: "record", scope: null, dimensions: DIMENSIONS }]),
    "GET /api/sessions": page(sessions),
    ...more,
  });
}

const shown = (
  <>
    <PopulateRecord entity={northwind} entityType={company} />
    <PopulationLine entityId={northwind.id} />
  </>
);
const draw = (permissions: string[]) => renderAt(`/records/${northwind.id}`, shown, permissions);
const MAY = ["sessions.team.create", "responses.team.create"];

test("some fields are chosen, a text is given, and an agent that runs here is asked", async () => {
  const calls = serve([], { [`POST ${PATH}`]: { status: 201, body: session({}) } });
  const user = userEvent.setup();
  await draw(MAY);
  await user.click(await screen.findByRole("button", { name: "Populate" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText("No model is configured")).toBeTruthy();
  const agents = within(dialog).getByRole("combobox", { name: "Agent" });
  expect(within(agents).queryByText("Elsewhere")).toBeNull();
  await user.selectOptions(agents, "filing-reader");
  await waitFor(() => expect(within(dialog).queryByText("No model is configured")).toBeNull());
  await user.click(await within(dialog).findByRole("checkbox", { name: "Size" }));
  await user.type(within(dialog).getByRole("textbox", { name: "Text to read" }), "Twelve.");
  await user.click(within(dialog).getByRole("button", { name: "Populate" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const [sent] = calls.filter(({ method }) => method === "POST");
  expect(sent?.body).toEqual({ agent: "filing-reader", dimensions: ["size"], text: "Twelve." });
});

test("what the server refuses is said in the dialog, and nothing is lost", async () => {
  const problem = { code: "no_runtime", detail: "This agent is not active", errors: [] };
  serve([], { [`POST ${PATH}`]: { status: 422, body: problem } });
  const user = userEvent.setup();
  await draw(MAY);
  await user.click(await screen.findByRole("button", { name: "Populate" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox", { name: "Instructions" }), "Count all.");
  await user.click(within(dialog).getByRole("button", { name: "Populate" }));
  expect(await within(dialog).findByText("This agent is not active")).toBeTruthy();
  expect(within(dialog).getByRole<HTMLTextAreaElement>("textbox", { name: "Instructions" }).value).toBe("Count all.");
});

test("who may not start sessions is not asked", async () => {
  serve();
  await draw(["responses.team.create"]);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Populate" })).toBeNull());
});

test.each([
  [session({ status: "running" }), "field-populator looks for values.", "Cancel"],
  [session({ status: "waiting" }), "field-populator asks a person.", "Cancel"],
  [session({ status: "failed", error: { code: "no_model", message: "Set a model." } }), "field-populator failed: Set a model.", "Dismiss"],
])("a session that is open or failed is told of (%#)", async (found, text, act) => {
  serve([found]);
  await draw(MAY);
  const line = await screen.findByRole("status", { name: "Population" });
  expect(within(line).getByText(text)).toBeTruthy();
  expect(within(line).getByRole("button", { name: act })).toBeTruthy();
});

test.each([
  session({ status: "completed" }),
  session({ status: "failed", dismissed_at: "2026-01-01T00:00:00Z" }),
  session({ purpose: "prompt" }),
])("one that is over and done with is not (%#)", async (found) => {
  serve([found]);
  await draw(MAY);
  await screen.findByRole("button", { name: "Populate" });
  expect(screen.queryByRole("status", { name: "Population" })).toBeNull();
});
