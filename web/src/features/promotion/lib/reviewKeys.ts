/** What a reviewer can do by key with a response and its values. */
export const REVIEW_ACTS = { p: "promote", a: "promoteAll", r: "reject" } as const;
export type ReviewAct = (typeof REVIEW_ACTS)[keyof typeof REVIEW_ACTS];

export const REVIEW_KEYS = [
  { keys: ["j"], means: "Next response" },
  { keys: ["k"], means: "Previous response" },
  { keys: ["↓", "↑"], means: "Next or previous value" },
  { keys: ["p"], means: "Promote this value" },
  { keys: ["a"], means: "Promote all that can be" },
  { keys: ["r"], means: "Reject, with notes" },
  { keys: ["?"], means: "Show these keys" },
] as const;
