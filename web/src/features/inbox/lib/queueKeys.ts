/** What a reviewer can do by key with a proposal of the queue. */
export const QUEUE_ACTS = {
  p: "promote",
  P: "promoteAll",
  x: "leaveOut",
  r: "reject",
  s: "skip",
  u: "undo",
  a: "assign",
} as const;
export type QueueAct = (typeof QUEUE_ACTS)[keyof typeof QUEUE_ACTS];

export const QUEUE_KEYS = [
  { keys: ["j"], means: "Next proposal" },
  { keys: ["k"], means: "Previous proposal" },
  { keys: ["↓", "↑"], means: "Next or previous value" },
  { keys: ["x"], means: "Leave this value out, or take it in" },
  { keys: ["p"], means: "Promote what is ticked" },
  { keys: ["Shift", "P"], means: "Promote all that wait" },
  { keys: ["r"], means: "Reject, with a note" },
  { keys: ["s"], means: "Skip" },
  { keys: ["u"], means: "Undo the last decision" },
  { keys: ["a"], means: "Assign to me, or to nobody" },
  { keys: ["?"], means: "Show these keys" },
] as const;
