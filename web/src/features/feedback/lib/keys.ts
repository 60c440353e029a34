/** What can be done by key with groups of feedback and with what is in them. */
export const GROUP_ACTS = {
  Enter: "open",
  ArrowRight: "open",
  x: "select",
  X: "selectRange",
  a: "review",
  m: "merge",
  d: "dismiss",
  z: "snooze",
  r: "reopen",
} as const;
export type GroupAct = (typeof GROUP_ACTS)[keyof typeof GROUP_ACTS];

export const MEMBER_ACTS = {
  Enter: "open",
  ArrowRight: "open",
  ArrowLeft: "back",
  Escape: "back",
  x: "select",
  X: "selectRange",
  a: "review",
  d: "dismiss",
  m: "move",
  s: "split",
} as const;
export type MemberAct = (typeof MEMBER_ACTS)[keyof typeof MEMBER_ACTS];

export const GROUP_KEYS = [
  { keys: ["j", "↓"], means: "Next" },
  { keys: ["k", "↑"], means: "Previous" },
  { keys: ["Enter", "→"], means: "To its members, or to where it comes from" },
  { keys: ["Esc", "←"], means: "Back to the groups" },
  { keys: ["x"], means: "Select" },
  { keys: ["Shift", "x"], means: "Select up to here" },
  { keys: ["a"], means: "Review, with a note" },
  { keys: ["d"], means: "Dismiss, with a reason (1 to 6)" },
  { keys: ["m"], means: "Merge into a group, or move there" },
  { keys: ["s"], means: "Split off from the group" },
  { keys: ["z"], means: "Snooze until 2 more come" },
  { keys: ["r"], means: "Reopen what was put aside" },
  { keys: ["u"], means: "Undo the last decision" },
  { keys: ["/"], means: "Filter by words; Esc goes back to the list" },
  { keys: ["?"], means: "Show these keys" },
] as const;

export const LIST_KEYS = GROUP_KEYS.filter(
  ({ means }) => !means.includes("Split") && !means.includes("Snooze") && !means.includes("Reopen") && !means.includes("Back to"),
);
