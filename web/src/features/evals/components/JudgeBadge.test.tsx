import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { EvalRunDetail, ReplayDetail } from "@/api/types";
import { REPLAY_ID, replayDetail, run } from "@/testing/evals";
import { renderAt } from "@/testing/renderAt";
import { agreementLine, judgingCounts } from "../lib/judging";
import { ReplayJudgement, RunJudging } from "./JudgeBadge";

const judging = { pending: 0, judged: 4, notJudged: 0, failed: 1, passed: 3, agreement: { replays: 4, kappa: 0.5, low: -0.21 }, rates: [],
  withheld: false };
const rubric: NonNullable<ReplayDetail["rubric"]> = {
  rubric: "answers",
  overall: 0.75,
  passed: false,
  judge: { kind: "llm", version: "1", model: "judge-1" },
  dimensions: {
    clear: { score: 4, scale: [1, 5], normalized: 0.75, passed: true, rationale: "It is short.", label: "Clear", verdict: "mostly" },
    kind: { score: null, scale: [1, 5], normalized: null, passed: false, rationale: "Nothing shows it.", label: "Kind", verdict: "cannot_tell" },
  },
};
const draw = (replay: Partial<ReplayDetail>) => renderAt("/records/x", <ReplayJudgement replay={{ ...replayDetail, ...replay }} />, []);
const drawRun = (part: Partial<EvalRunDetail>) => renderAt("/records/x", <RunJudging run={{ ...run, ...part }} />, []);

test("each rating has its verdict, its score and why", async () => {
  await draw({ judging: { state: "judged", reason: null, sessionId: REPLAY_ID, withheld: false }, rubric });
  expect(await screen.findByText("Advisory")).toBeTruthy();
  const clear = within(screen.getByRole("row", { name: /Clear/ }));
  expect([clear.getByText("Mostly"), clear.getByText("4 (1 to 5)"), clear.getByText("It is short.")]).toHaveLength(3);
  const kind = within(screen.getByRole("row", { name: /Kind/ }));
  expect([kind.getByText("Cannot tell"), kind.getByText("No score")]).toHaveLength(2);
  expect(screen.getByRole("link", { name: "Session of the judge" })).toBeTruthy();
});

test("that nobody was asked, or that who was asked failed, is said with its reason and is no score", async () => {
  await draw({ judging: { state: "not_judged", reason: "No language model is configured", sessionId: null, withheld: false } });
  expect(await screen.findByText("Not judged")).toBeTruthy();
  expect(screen.getByText("No language model is configured")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
  await draw({ judging: { state: "failed", reason: "limit_seconds: too long", sessionId: null, withheld: false } });
  expect(await screen.findByText("The judge failed")).toBeTruthy();
});

test("a replay without a rubric says nothing of judges", async () => {
  await draw({ judging: null });
  expect(screen.queryByText("Judge")).toBeNull();
});

test("a run says how many were judged, and how far that is what the comparison says", async () => {
  await drawRun({ judging, passed: 1, failed: 3 });
  expect(await screen.findByText(/4 judged, 1 where the judge failed/)).toBeTruthy();
  expect(screen.getByText("75% (3 of 4)")).toBeTruthy();
  expect(screen.getByText("25%")).toBeTruthy();
  expect(screen.getByText("kappa 0.50, at least -0.21, n = 4")).toBeTruthy();
});

test("what cannot be told is not told", () => {
  expect(agreementLine({ ...judging, agreement: { replays: 0, kappa: null, low: null } })).toBe("no replay has both");
  expect(agreementLine({ ...judging, agreement: { replays: 9, kappa: null, low: null } })).toMatch(/all 9/);
  expect(judgingCounts({ ...judging, judged: 0, failed: 0, notJudged: 2, pending: 1 })).toBe("1 waiting for the judge, 2 not judged");
});
