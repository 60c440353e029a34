/** The choices for how long a key lives, and the moment each one means. */
export const EXPIRY_CHOICES = ["never", "30", "90", "365", "custom"] as const;
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number];

export const EXPIRY_LABEL: Record<ExpiryChoice, string> = {
  never: "Never",
  "30": "In 30 days",
  "90": "In 90 days",
  "365": "In a year",
  custom: "On a date…",
};

const DAY_MS = 86_400_000;

/** Null is "never". A chosen date counts to its end where the person is. */
export function expiresAt(choice: ExpiryChoice, customDate: string, now: Date): string | null {
  if (choice === "never") return null;
  if (choice === "custom") return new Date(`${customDate}T23:59:59`).toISOString();
  return new Date(now.getTime() + Number(choice) * DAY_MS).toISOString();
}

/** A sentence when the date cannot be used, otherwise null. */
export function checkCustomDate(customDate: string, now: Date): string | null {
  const moment = Date.parse(`${customDate}T23:59:59`);
  if (Number.isNaN(moment)) return "Choose a date";
  return moment <= now.getTime() ? "Choose a date that is still to come" : null;
}
