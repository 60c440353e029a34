/** Conversations and what was thought of them, for tests to vary. */
import type {
  Conversation,
  ReactionRow,
  Satisfaction,
  SatisfactionReport,
  Transcript,
  TranscriptTurn,
  UnsettledReaction,
} from "@/api/types";

const when = "2026-01-05T10:00:00Z";

export const conversation: Conversation = {
  project: "Support",
  id: "order-1",
  user_id: "cust-mina",
  agent: "answer-bot",
  agent_id: null,
  title: "Where is my order?",
  turns: 2,
  started_at: when,
  last_activity_at: when,
  feedback_counts: { total: 2, user: 1, machine: 1, ok: 1, not_ok: 1, neutral: 0 },
};

export const byUser: ReactionRow = {
  id: "0190a000-0000-7000-8000-000000000101",
  role: "artifact",
  tags: [],
  turn_id: "turn_1",
  text: "",
  ts: when,
  hosted_uri: null,
  state: "active",
  user_id: "cust-mina",
  user_name: null,
  source_conversation_id: null,
  source_turn_id: null,
  payload: {
    reaction: { turn_id: "turn_1", text: "That was quick.", confidence: 1, ts: when, reaction: "ok", origin: "user" },
    meta: { rn: "ef:1", turn_id: "turn_1", track_id: null, user_type: "end_user", kind: "turn.log.reaction" },
    conversation_id: "order-1",
    bundle_id: null,
  },
  plain: {
    rn: "ef:1",
    conversation_id: "order-1",
    turn_id: "turn_1",
    reaction: "ok",
    text: "That was quick.",
    ts: when,
    origin: "user",
    confidence: 1,
    user_type: null,
  },
};

export const byMachine: ReactionRow = {
  ...byUser,
  id: "0190a000-0000-7000-8000-000000000102",
  source_conversation_id: "order-1",
  source_turn_id: "turn_2",
  payload: {
    ...byUser.payload,
    reaction: { ...byUser.payload.reaction, text: "It never came.", confidence: 0.91, reaction: "not_ok", origin: "machine" },
    meta: { ...byUser.payload.meta, rn: "ef:2" },
    gate: {
      detector: "embedded/1",
      evidence: "It never came.",
      decision: "clear",
      message: { conversation_id: "order-1", turn_id: "turn_2" },
      candidates: [{ turn_id: "turn_1", conversation_id: "order-1", similarity: 0.62, recency: 1, score: 0.677 }],
    },
  },
  plain: {
    ...byUser.plain,
    rn: "ef:2",
    reaction: "not_ok",
    text: "It never came.",
    origin: "machine",
    confidence: 0.91,
    user_type: "system",
  },
};

export const turn: TranscriptTurn = {
  turn_id: "turn_1",
  ts: when,
  user_id: "cust-mina",
  agent: "answer-bot",
  agent_id: null,
  session_id: null,
  bundle_id: null,
  track_id: null,
  user: "Where is my order?",
  assistant: "It arrives on Monday.",
  has_log: true,
  hosted_uri: null,
  reactions: [byUser, byMachine],
  unsettled: [],
};

export const laterTurn: TranscriptTurn = {
  ...turn,
  turn_id: "turn_2",
  user: "It never came.",
  assistant: "I am sorry, I ask the carrier.",
  has_log: false,
  reactions: [],
};

export const transcript: Transcript = {
  conversation,
  turns: [turn, laterTurn],
  previous_cursor: null,
  next_cursor: null,
};

export const unsettled: UnsettledReaction = {
  id: "0190a000-0000-7000-8000-000000000111",
  project: "Coding",
  conversation_id: "sql-report",
  turn_id: "turn_4",
  message: "The query by week is wrong.",
  ts: when,
  user_id: "dev-ines",
  reaction: "not_ok",
  confidence: 0.86,
  evidence: "is wrong",
  detector: "embedded/1",
  candidates: [
    {
      conversation_id: "sql-report",
      turn_id: "turn_3",
      similarity: 0.4,
      recency: 1,
      score: 0.49,
      ts: when,
      user: "New users per week",
      assistant: "SELECT 3",
    },
    {
      conversation_id: "older",
      turn_id: "turn_2",
      similarity: 0.47,
      recency: 0.5,
      score: 0.48,
      ts: when,
      user: "Refunds per week",
      assistant: "SELECT 2",
    },
  ],
};

export function measured(bucket: string | null, group: string | null, ok: number, total: number): Satisfaction {
  const rate = total === 0 ? null : ok / total;
  return { bucket, group, ok, not_ok: total - ok, neutral: 0, total, rate, low: rate && rate / 2, high: rate };
}

export const report: SatisfactionReport = {
  start: "2026-01-01T00:00:00Z",
  end: "2026-02-01T00:00:00Z",
  bucket: "week",
  by: null,
  user_type: "end_user",
  overall: [measured(null, null, 3, 4)],
  data: [measured("2026-01-05T00:00:00Z", null, 1, 2), measured("2026-01-12T00:00:00Z", null, 2, 2)],
};
