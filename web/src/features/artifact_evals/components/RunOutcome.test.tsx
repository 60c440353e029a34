import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { ArtifactEvalRun } from "@/api/types";
import { fakeServer } from "@/testing/fakeServer";
import { renderAt } from "@/testing/renderAt";
import { RunOutcome } from "./RunOutcome";

const run: ArtifactEvalRun = {
  id: "0190a000-0000-7000-8000-000000000008",
  suite: "pf_idea",
  entity_type: "pf_idea",
  rubric_version: "1",
  status: "running",
  total: 1000,
  done: 400,
  passed: 300,
  mean: 0.9,
  dimensions: [],
  results_kept: true,
  error: null,
  created_at: "2026-01-01T00:00:00Z",
  started_at: "2026-01-01T00:00:00Z",
  finished_at: null,
  created_by: { kind: "user", id: null, name: "Ada" },
};
const at = "/records/0190a000-0000-7000-8000-000000000009";

test("a run that goes on shows how far it is, and is cancelled by whoever may", async () => {
  const calls = fakeServer({ [`POST /api/artifact-evals/runs/${run.id}/cancel`]: { body: { ...run, status: "cancelled" } } });
  await renderAt(at, <RunOutcome run={run} />, ["artifact_evals.team.manage"]);
  expect(screen.getByText("Scored 400 of 1,000 records")).toBeTruthy();
  expect(screen.getByRole("progressbar", { name: "Progress of the run" }).getAttribute("aria-valuenow")).toBe("40");
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(calls.map(({ method }) => method)).toContain("POST");
});

test("whoever may not run sees no button", async () => {
  await renderAt(at, <RunOutcome run={run} />, []);
  expect(screen.queryByRole("button")).toBeNull();
});

test.each([
  [{ status: "done", done: 5, passed: 4 }, "4 of 5 records can be trusted, mean score 90 of 100"],
  [{ status: "done", done: 0, passed: 0, mean: null }, "There are no records to score."],
  [{ status: "cancelled", done: 0, passed: 0, mean: null, total: 5 }, "No record was scored."],
  [{ status: "failed", done: 4, passed: 1, total: 5, error: "x" }, "1 of 4 records can be trusted, mean score 90 of 100. 1 record was not scored."],
  [{ status: "cancelled", done: 4, passed: 1, total: 9, mean: null }, "1 of 4 records can be trusted. 5 records were not scored."],
  [{ status: "failed", error: "The entity type pf_idea is gone" }, "The entity type pf_idea is gone"],
] as const)("a run that is over: %j", async (change, said) => {
  await renderAt(at, <RunOutcome run={{ ...run, ...change }} />, []);
  expect(screen.getByText(said)).toBeTruthy();
});
