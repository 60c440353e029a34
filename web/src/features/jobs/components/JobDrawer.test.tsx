import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn } from "@/testing/render";
import { JobDrawer } from "./JobDrawer";

const job = {
  id: "0190a000-0000-7000-8000-000000000005",
  name: "tenants.record_key_use",
  title: "Note when a key was used",
  routine: true,
  advice: "The key works.",
  status: "failed",
  actor: { kind: "system", id: null, name: null },
  attempts: 1,
  max_attempts: 3,
  args: {},
  queued_at: "2026-01-01T00:00:00Z",
  scheduled_at: null,
  started_at: null,
  finished_at: null,
  error: null,
};

test.each([
  [null, "System"],
  ["system", "System"],
  ["Dana Whitfield", "Dana Whitfield"],
])("who started it, %s, is shown as %s", async (name, shown) => {
  fakeServer({ [`GET /api/jobs/${job.id}`]: { body: { ...job, actor: { ...job.actor, name }, failures: [] } } });
  renderSignedIn(<JobDrawer id={job.id} onClose={() => {}} />);
  expect(await screen.findByText(shown)).toBeTruthy();
});

test.each([
  ["a traceback", "Traceback: line 1", true],
  ["none for those who may not see it", "", false],
])("a failure with %s", async (_name, detail, shown) => {
  const failure = { attempt: 1, at: "2026-01-01T00:00:00Z", type: "ValueError", message: "No such key", detail };
  fakeServer({ [`GET /api/jobs/${job.id}`]: { body: { ...job, failures: [failure] } } });
  renderSignedIn(<JobDrawer id={job.id} onClose={() => {}} />);
  expect(await screen.findByText("ValueError: No such key")).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Detail of attempt 1" }) !== null).toBe(shown);
});
