/** Feedback and its groups, for tests to vary. */
import type { Feedback, FeedbackDetail, FeedbackGroup } from "@/api/types";

const when = "2026-01-05T10:00:00Z";
const ADA = { kind: "user" as const, id: "0190a000-0000-7000-8000-000000000003", name: "Ada" };

export const feedback: Feedback = {
  id: "0190a000-0000-7000-8000-000000000401",
  source_type: "tool",
  rating: "negative",
  comment: "The search came back empty",
  session_id: null,
  entity_id: null,
  agent_id: null,
  entity_type: null,
  context: { tool_slug: "search" },
  status: "pending",
  reviewer: null,
  reviewed_by_user_id: null,
  reviewed_by_agent_id: null,
  reviewed_at: null,
  review_notes: null,
  created_by: ADA.id,
  author: ADA,
  end_user: null,
  group_id: "0190a000-0000-7000-8000-000000000501",
  near_group_id: null,
  created_at: when,
  updated_at: when,
};

export const otherFeedback: Feedback = {
  ...feedback,
  id: "0190a000-0000-7000-8000-000000000402",
  comment: "Nothing is found by number",
  created_by: "0190a000-0000-7000-8000-000000000009",
  author: { kind: "user", id: "0190a000-0000-7000-8000-000000000009", name: "Ben" },
};

/** As it is after somebody has reviewed it. */
export function reviewedBy(row: Feedback, name: string, at: string): Feedback {
  return { ...row, status: "applied", reviewer: { kind: "user", id: null, name }, reviewed_at: at, review_notes: "Index rebuilt" };
}

export const detail: FeedbackDetail = { ...feedback, about: { turn: null, record: null, response: null, session: null } };

export const group: FeedbackGroup = {
  id: "0190a000-0000-7000-8000-000000000501",
  kind: "tool",
  state: "open",
  rating: "negative",
  title: "search",
  agent_id: null,
  entity_type: null,
  key: "search",
  members: 2,
  pending: 2,
  origins: 2,
  cohesion: null,
  proposed: true,
  returned: false,
  sources: ["tool"],
  first_at: when,
  last_at: when,
  days: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
  reason: null,
  note: null,
  decided_by: null,
  decided_at: null,
  merged_into: null,
  version: 1,
  read_at: "2026-01-31T12:00:00Z",
  created_at: when,
};

export const otherGroup: FeedbackGroup = {
  ...group,
  id: "0190a000-0000-7000-8000-000000000502",
  kind: "wording",
  title: "delivery date",
  cohesion: 0.68,
  sources: ["chat"],
};
