/** What a reviewer can do by key with a response and its values. */
export const REVIEW_ACTS = { p: "promote", P: "promoteAll", r: "reject" } as const;
export type ReviewAct = (typeof REVIEW_ACTS)[keyof typeof REVIEW_ACTS];

export const REVIEW_KEYS = [
  { keys: ["j"], means: "Next response" },
  { keys: ["k"], means: "Previous response" },
  { keys: ["↓", "↑"], means: "Next or previous value" },
  { keys: ["p"], means: "Promote this value" },
  { keys: ["Shift", "P"], means: "Promote all that wait" },
  { keys: ["r"], means: "Reject, with a note" },
  { keys: ["u"], means: "Undo the last decision" },
  { keys: ["?"], means: "Show these keys" },
] as const;
