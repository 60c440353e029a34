/** What can be done by key with a message of unclear reactions: each key goes to that choice. */
export const CHOICES = { "0": "0", "1": "1", "2": "2", "3": "3", "4": "4", "5": "5" } as const;

export const QUEUE_KEYS = [
  { keys: ["j", "↓"], means: "Next message" },
  { keys: ["k", "↑"], means: "Previous message" },
  { keys: ["1", "…", "5"], means: "Go to that answer" },
  { keys: ["0"], means: "Go to “None of these”" },
  { keys: ["Enter"], means: "Settle it" },
  { keys: ["u"], means: "Undo what you settled last" },
  { keys: ["?"], means: "Show these keys" },
] as const;
