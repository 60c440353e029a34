/** Knowledge, what it rests on and what happened to it, for tests to vary. */
import type { Knowledge, KnowledgeDetail, KnowledgeEntry, KnowledgeSupport, ManifestRow, MeasuredValue } from "@/api/types";

const when = "2026-01-05T10:00:00Z";
const ADA = { kind: "user" as const, id: "0190a000-0000-7000-8000-000000000003", name: "Ada" };

export const row: Knowledge = {
  id: "0190a000-0000-7000-8000-000000000601",
  type: "correction",
  content: "Give valuations in euros",
  context: "when filling in `valuation`",
  agent_id: null,
  entity_type_id: null,
  state: "active",
  decided: "active",
  active: true,
  standing: "support",
  pinned: false,
  wording: true,
  origins: 2,
  confirmations: 0,
  value: null,
  tokens: 14,
  rank: 12.5,
  flags: [],
  last_confirmed_at: when,
  source_feedback_id: null,
  group_id: null,
  created_by: ADA,
  created_by_agent_id: null,
  created_by_user_id: ADA.id,
  metadata: {},
  read_at: when,
  version: 3,
  created_at: when,
  updated_at: when,
};

/** Copied out of feedback: a person has to put it into words. */
export const proposal: Knowledge = {
  ...row,
  id: "0190a000-0000-7000-8000-000000000602",
  content: "“The value is in dollars”",
  state: "proposed",
  decided: "proposed",
  active: false,
  wording: false,
  metadata: { method: "extractive", evidence: { targeted: { sessions: ["s"], goldens: [] }, guard: "goldens in its scope", measured: false } },
};

export const support: KnowledgeSupport = {
  feedback_id: "0190a000-0000-7000-8000-000000000701",
  counts: true,
  flagged: false,
  echo: false,
  lost: null,
  medoid: true,
  rating: "negative",
  added_at: when,
  comment: "The value is in dollars",
  source_type: "extraction",
  status: "pending",
  author: ADA,
  end_user: null,
  session_id: null,
  entity_id: null,
  given_at: when,
};

const { type, content, context, agent_id, entity_type_id, decided, standing, pinned, wording, read_at, confirmations, last_confirmed_at } = row;
export const written = { type, content, context, agent_id, entity_type_id, decided, standing, pinned, wording, read_at, confirmations, last_confirmed_at };

export const entry: KnowledgeEntry = {
  id: "0190a000-0000-7000-8000-000000000801",
  change: "approved",
  state_before: "proposed",
  state: "active",
  before: { ...written, decided: "proposed" },
  after: written,
  reason: "Both are right",
  evidence: { origins: 2, value: "unmeasured" },
  takes_back: null,
  undoable: true,
  actor: ADA,
  at: when,
};

export const detail: KnowledgeDetail = { ...row, support: [support, { ...support, feedback_id: "0190a000-0000-7000-8000-000000000702", comment: "Not euros", medoid: false }], history: [entry] };

export const manifestRow: ManifestRow = {
  id: row.id,
  name: "000000000601",
  line: "- [000000000601] when filling in `valuation`: Give valuations in euros",
  type: "correction",
  state: "active",
  changed: false,
  rank: 12.5,
  reason: "number 1 of the corrections, for the whole workspace",
  origins: 2,
  confirmations: 0,
  last_confirmed_at: when,
  value: null,
};

export const EXPERIMENT_ID = "0190a000-0000-7000-8000-000000000901";

export const measured: MeasuredValue = {
  label: "measured",
  reason: null,
  basis: "pairs",
  delta: 0.041,
  low: 0.012,
  high: 0.07,
  p: 0.001,
  adjusted_p: 0.01,
  n: 48,
  tokens: 12,
  agent_id: "0190a000-0000-7000-8000-000000000d01",
  agent: "clerk",
  agent_version: 2,
  model: "openai:gpt-4o",
  set_id: "0190a000-0000-7000-8000-000000000e01",
  set: "smoke",
  set_version: 1,
  experiment_id: EXPERIMENT_ID,
  row_hash: "",
  confirmed: true,
  targeted: { goldens: 3, pairs: 20, wins: 9, losses: 1, lost_with: 0, lost_without: 0, e_helps: 21.14, e_harms: 0.2 },
  guard: { goldens: 9, pairs: 28, wins: 1, losses: 1, lost_with: 0, lost_without: 0, e_helps: 0.94, e_harms: 0.94 },
  harm_excluded: 0.1,
  lost_with: 0,
  lost_without: 0,
  stale: false,
  stale_because: [],
  measured_at: when,
};
