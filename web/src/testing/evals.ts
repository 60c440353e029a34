/** Goldens, runs and replays, for tests to vary. */
import type { EvalMatrix, EvalReport, EvalRunDetail, EvalTrendPoint, ExperimentDetail, ExperimentForecast, ExperimentRow, Golden, GoldenCandidate, GoldenDetail, GoldenReport, GoldenSet, Replay, ReplayDetail, StarterSet } from "@/api/types";

const when = "2026-01-05T10:00:00Z";
const ADA = { kind: "user" as const, id: "0190a000-0000-7000-8000-000000000003", name: "Ada" };
export const GOLDEN_ID = "0190a000-0000-7000-8000-000000000a01";
export const RUN_ID = "0190a000-0000-7000-8000-000000000b01";
export const REPLAY_ID = "0190a000-0000-7000-8000-000000000c01";
const AGENT_ID = "0190a000-0000-7000-8000-000000000d01";
const SET_ID = "0190a000-0000-7000-8000-000000000e01";

export const clerk = { id: AGENT_ID, slug: "clerk", version: 2 };

export const golden: Golden = {
  sessionId: GOLDEN_ID,
  setId: SET_ID,
  set: "clerk",
  note: "",
  criteriaSetId: null,
  effects: "exact",
  facts: ["12 employees"],
  minPass: null,
  revision: 1,
  type: "agent",
  agent: "clerk",
  agentId: AGENT_ID,
  agentVersion: 1,
  firstMessage: "Set the employees of Acme",
  floor: "stable",
  floorPasses: 5,
  floorRuns: 5,
  floorRunId: null,
  alternatives: [],
  promotedAt: when,
  promotedBy: ADA,
};

export const goldenDetail: GoldenDetail = {
  ...golden,
  proposedFacts: ["12 employees"],
  snapshot: {
    format: 1,
    agent: { id: AGENT_ID, slug: "clerk", version: 1, config: null },
    message: "Set the employees of Acme",
    messages: [],
    brief: { message: "Set the employees of Acme", instructions: "", outputSchema: null, context: {} },
    purpose: "agent",
    type: "agent",
    entity: null,
    viewContext: null,
    toolGroups: ["responses"],
    tools: { submitResponse: { description: "", parameters: {}, writes: true, foreign: false } },
    entityTypes: [],
    knowledge: null,
    guessed: [],
    criteria: null,
  },
};

export const goldenSet: GoldenSet = { id: SET_ID, name: "clerk", version: 3, goldens: 2, stable: 1, flaky: 0, broken: 0, createdAt: when };

export const candidate: GoldenCandidate = {
  agentId: AGENT_ID,
  agentSlug: "clerk",
  agentName: "Clerk",
  prompt: "Where is my parcel?",
  occurrenceCount: 2,
  feedbackIds: ["0190a000-0000-7000-8000-000000000f01", "0190a000-0000-7000-8000-000000000f02"],
  representativeSessionId: GOLDEN_ID,
  lastFeedbackAt: when,
  comment: "It does not say",
};

export const goldenReport: GoldenReport = {
  goldenId: GOLDEN_ID,
  change: "hard_break",
  outcomes: ["failed", "failed"],
  baseline: { passes: 5, runs: 5 },
  floor: "stable",
  minPass: null,
  seconds: 2.5,
  accuracy: 0.2,
  divergence: "The golden's submitResponse was not done",
  error: null,
};

export const report: EvalReport = {
  agent: clerk,
  baseline: { ...clerk, version: 1 },
  verdict: "regression",
  passRate: 0,
  passRateLow: 0,
  passRateHigh: 0.24,
  difference: -0.3333,
  low: -0.511,
  high: -0.0778,
  goldensLikeThese: [-0.7, 0.1],
  midP: 0.01,
  adjustedP: 0.01,
  smallestDetectable: 0.14,
  repeatsToBuy: 6,
  margin: 0.05,
  replays: 2,
  passed: 0,
  failed: 2,
  inconclusive: 0,
  errors: 0,
  missing: 0,
  changes: { hard_break: 1, unchanged: 1 },
  spread: null,
  tokens: 720,
  cost: null,
  seconds: 3,
  use: { tokens: 360, cost: null, seconds: 3 },
  baselineUse: { tokens: 240, cost: null, seconds: 3 },
  goldens: [goldenReport],
};

export const run: EvalRunDetail = {
  id: RUN_ID,
  name: "clerk by clerk v2",
  kind: "run",
  trigger: "manual",
  setId: SET_ID,
  setName: "clerk",
  setVersion: 3,
  goldenId: null,
  agents: [clerk],
  baseline: { ...clerk, version: 1 },
  repeats: 2,
  mode: "hybrid",
  context: "snapshot",
  margin: 0.05,
  maxCost: null,
  estimate: { replays: 2, baselineReplays: 0, tokens: 720, cost: null },
  status: "completed",
  stopped: null,
  replays: 2,
  done: 2,
  passed: 0,
  failed: 2,
  inconclusive: 0,
  errors: 0,
  cost: null,
  passRate: 0,
  difference: -0.3333,
  low: -0.511,
  high: -0.0778,
  smallestDetectable: 0.14,
  verdict: "regression",
  confirmsId: null,
  confirmed: null,
  waits: false,
  commitSha: null,
  createdAt: when,
  endedAt: when,
  createdBy: ADA,
  reports: [report],
  judging: null,
};

export const replay: Replay = {
  id: REPLAY_ID,
  runId: RUN_ID,
  goldenId: GOLDEN_ID,
  revision: 1,
  agent: clerk,
  repeat: 0,
  baseline: false,
  mode: "hybrid",
  context: "snapshot",
  state: "compared",
  outcome: "failed",
  accuracy: 0.2,
  fidelity: 1,
  divergence: "The golden's submitResponse was not done",
  error: null,
  tokens: 360,
  cost: null,
  seconds: 1.5,
  endedAt: when,
  manifest: null,
  rowsApplicable: null,
  rowsPresent: null,
  measures: null,
};

export const replayDetail: ReplayDetail = {
  ...replay,
  judging: null,
  rubric: null,
  comparison: {
    session_type: "agent",
    dimensions: { effects: { score: 0, passed: false, weight: 0.8, reason: "1 write is missing", required: false } },
    overall_accuracy: 0.2,
    passed: false,
    alternative: null,
    divergences: [
      { kind: "missing_write", message: "The golden's submitResponse was not done", tool: "submitResponse", path: null, golden: { employees: 12 }, replay: null, golden_event: 3, replay_event: null },
    ],
  },
};

export const matrix: EvalMatrix = {
  set: "clerk",
  setVersion: 3,
  mode: "hybrid",
  context: "snapshot",
  agents: [clerk, { ...clerk, version: 1 }],
  goldens: [
    { goldenId: GOLDEN_ID, title: "Set the employees of Acme", floor: "stable", floorPasses: 5, floorRuns: 5, cells: [{ outcomes: ["failed"], replayIds: [REPLAY_ID] }, { outcomes: [], replayIds: [] }] },
  ],
  truncated: false,
};

export const trendPoint: EvalTrendPoint = {
  runId: RUN_ID,
  agent: clerk,
  setVersion: 3,
  mode: "hybrid",
  context: "snapshot",
  passRate: 0,
  passRateLow: 0,
  passRateHigh: 0.24,
  verdict: "regression",
  confirmed: null,
  replays: 2,
  createdAt: when,
};

export const starter: StarterSet = {
  name: "sales-ops",
  title: "Sales operations",
  description: "Contacts, calls and renewals of eight accounts.",
  goldens: 9,
  promoted: 0,
  state: "absent",
};

export const EXPERIMENT_ID = "0190a000-0000-7000-8000-000000000b02";
export const ROW_ID = "0190a000-0000-7000-8000-000000000601";

export const experimentRow: ExperimentRow = {
  rowId: ROW_ID,
  type: "lesson",
  content: "Look the company up first",
  state: "shadow",
  changed: false,
  goldens: 4,
  tokens: 12,
  label: "measured",
  reason: null,
  basis: "pairs",
  n: 40,
  present: 24,
  absent: 24,
  delta: 0.16,
  low: 0.08,
  high: 0.24,
  p: 0.0001,
  adjustedP: 0.0004,
  flagged: true,
  confirmed: true,
  targeted: null,
  guard: { goldens: 4, pairs: 40, wins: 9, losses: 1, eHelps: 21.1, eHarms: 0.2 },
  harmExcluded: 0.1,
};

export const uselessRow: ExperimentRow = {
  ...experimentRow,
  rowId: "0190a000-0000-7000-8000-000000000602",
  content: "Greet politely",
  state: "active",
  label: "no effect found",
  basis: "halves",
  n: 48,
  delta: 0.01,
  low: -0.09,
  high: 0.11,
  p: 0.8,
  adjustedP: 1,
  flagged: false,
  confirmed: false,
  guard: null,
  harmExcluded: null,
};

export const experiment: ExperimentDetail = {
  id: EXPERIMENT_ID,
  name: "What knowledge is worth to clerk v2: clerk",
  design: "halves",
  status: "completed",
  stopped: null,
  setId: SET_ID,
  setName: "clerk",
  setVersion: 3,
  agent: clerk,
  model: "openai:gpt-4o",
  mode: "hybrid",
  goldens: 4,
  rows: 2,
  confirms: true,
  pairs: 40,
  confirmationId: "0190a000-0000-7000-8000-000000000b03",
  replays: 128,
  done: 128,
  errors: 0,
  reused: 0,
  tokens: 46080,
  cost: 0.42,
  maxCost: null,
  findings: { measured: 1, harmful: 0, noEffectFound: 1, unmeasured: 0 },
  createdAt: when,
  endedAt: when,
  createdBy: ADA,
  goldenIds: [GOLDEN_ID],
  results: [uselessRow, experimentRow],
  stale: false,
  staleBecause: [],
};

export const experimentForecast: ExperimentForecast = {
  goldens: 4,
  rows: 2,
  rowsLeftOut: 0,
  replays: 240,
  reused: 40,
  made: 200,
  confirmationReplaysPerRow: 80,
  tokens: 72000,
  cost: 0.6,
  power: [
    { effect: 0.1, power: 0.21, replaysNeeded: 1040 },
    { effect: 0.2, power: 0.84, replaysNeeded: 220 },
  ],
  smallestDetectable: 0.19,
  runVariance: null,
};
