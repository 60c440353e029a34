import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { listedAgent } from "@/testing/agents";
import { fakeServer } from "@/testing/fakeServer";
import { renderAt } from "@/testing/renderAt";
import { task } from "@/testing/tasks";
import { TaskList } from "./TaskList";

const runs = { ...listedAgent, runs_with: { runtime: "built_in" as const, model: "openai:gpt-6", version: 1 } };
const page = (data: unknown[]) => ({ body: { data, next_cursor: null } });
const MAY = ["tasks.team.manage", "tasks.team.run", "sessions.team.create"];

function serve(tasks: unknown[], more: Parameters<typeof fakeServer>[0] = {}) {
  return fakeServer({
    "GET /api/tasks": page(tasks),
    "GET /api/agents/overview": page([runs]),
    "GET /api/agents/defaults": { body: { model: null } },
    ...more,
  });
}
const draw = (permissions: string[], search = "") => renderAt(`/records/x${search}`, <TaskList />, permissions);

test("a task says what it does, when, and how it went", async () => {
  const last_session = { id: "s", status: "failed", created_at: "2026-01-02T00:00:00Z", ended_at: null };
  const problem = { code: "no_runtime", message: "This agent is not active", at: "2026-01-03T00:00:00Z" };
  serve([{ ...task, last_session, problem }]);
  await draw([]);
  const row = await screen.findByRole("row", { name: /Greet everybody/ });
  expect(within(row).getByText(/Monday to Friday at 09:00/)).toBeTruthy();
  expect(within(row).getByText("Failed")).toBeTruthy();
  expect(within(row).getByText(/This agent is not active/)).toBeTruthy();
  expect(within(row).queryByRole("button")).toBeNull();
  expect(within(row).getByRole<HTMLInputElement>("switch").disabled).toBe(true);
});

test("without tasks it says what one is, and offers the first", async () => {
  serve([]);
  await draw(MAY);
  expect(await screen.findByText("No tasks for agents yet")).toBeTruthy();
  expect(screen.getByRole("button", { name: "New task" })).toBeTruthy();
});

test("a task is switched off on the version that was read", async () => {
  const path = `/api/tasks/${task.id}`;
  const calls = serve([task], { [`PATCH ${path}`]: { body: { ...task, enabled: false, next_at: null, version: 2 } } });
  const user = userEvent.setup();
  await draw(MAY);
  await user.click(await screen.findByRole("switch", { name: "Greet everybody is enabled" }));
  await waitFor(() => expect(calls.some(({ method }) => method === "PATCH")).toBe(true));
  expect(calls.find(({ method }) => method === "PATCH")?.body).toEqual({ version: 1, enabled: false });
});

test("a task that replays a set is made with a set of the workspace", async () => {
  const sets = { data: [{ id: "s", name: "clerk", version: 1, goldens: 2, stable: 2, flaky: 0, broken: 0, createdAt: "2026-01-01T00:00:00Z" }], next_cursor: null };
  const calls = serve([task], { "GET /api/admin/evals/sets": { body: sets }, "POST /api/tasks": { body: task } });
  const user = userEvent.setup();
  await draw(MAY);
  await user.click(await screen.findByRole("button", { name: "New task" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Name"), "Every night");
  await user.selectOptions(dialog.getByLabelText("Kind"), "Replay a set");
  await user.click(dialog.getByRole("button", { name: "Save task" }));
  expect(await dialog.findByText("Choose a set of goldens")).toBeTruthy();
  await user.selectOptions(dialog.getByLabelText("Agent"), runs.name);
  await user.selectOptions(dialog.getByLabelText("Set of goldens"), "clerk");
  await user.click(dialog.getByRole("button", { name: "Save task" }));
  await waitFor(() => expect(calls.some(({ method }) => method === "POST")).toBe(true));
  expect(calls.find(({ method }) => method === "POST")?.body).toMatchObject({
    kind: "eval_run",
    agent: runs.slug,
    config: { setName: "clerk", repeats: 3, margin: 0.05 },
  });
});

test("a new task is checked, sent, and the server's objection stands at its field", async () => {
  const errors = [{ path: "/schedule/cron", code: "invalid_cron", message: "This is no cron expression" }];
  const calls = serve([task], { "POST /api/tasks": { status: 422, body: { code: "invalid_input", detail: "No", errors } } });
  const user = userEvent.setup();
  await draw(MAY);
  await user.click(await screen.findByRole("button", { name: "New task" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "Save task" }));
  expect(within(dialog).getByText("Give the task a name")).toBeTruthy();
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
  await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "Morning");
  await user.selectOptions(await within(dialog).findByRole("combobox", { name: "Agent" }), "filing-reader");
  await user.type(within(dialog).getByRole("textbox", { name: "Message" }), "Greet.");
  await user.selectOptions(within(dialog).getByRole("combobox", { name: "Runs" }), "cron");
  await user.clear(within(dialog).getByRole("textbox", { name: "Cron expression" }));
  await user.type(within(dialog).getByRole("textbox", { name: "Cron expression" }), "0 9 * *");
  await user.click(within(dialog).getByRole("button", { name: "Save task" }));
  expect(await within(dialog).findByText("This is no cron expression")).toBeTruthy();
  expect(calls.find(({ method }) => method === "POST")?.body).toMatchObject({
    name: "Morning",
    kind: "prompt",
    agent: "filing-reader",
    config: { message: "Greet." },
    schedule: { cron: "0 9 * *" },
    enabled: true,
  });
});
