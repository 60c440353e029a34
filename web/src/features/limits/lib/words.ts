import type { LimitUse, UsageLimits } from "@/api/types";
import { formatSize } from "@/features/archives/lib/archives";

export const GIB = 1024 ** 3;

export const LIMIT_WORDS: Record<LimitUse["limit"], string> = {
  requests_per_minute: "Requests a minute",
  tokens_per_day: "Tokens of runs today",
  cost_per_day: "Cost of runs today",
  storage_bytes: "Storage",
};

const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

export function formatAmount(limit: LimitUse["limit"], amount: number): string {
  if (limit === "cost_per_day") return dollars.format(amount);
  return limit === "storage_bytes" ? formatSize(amount) : amount.toLocaleString("en");
}

/** "12 of 600 used, 588 left", as far as it is known. */
export function describeUse({ limit, most, used, left }: LimitUse): string {
  const amount = (value: number) => formatAmount(limit, value);
  if (most === null) return used === null ? "No limit" : `${amount(used)} used, no limit`;
  if (used === null) return `Not measured yet, at most ${amount(most)}`;
  return `${amount(used)} of ${amount(most)} used, ${amount(left ?? 0)} left`;
}

/** Of 0 to 100; null where there is nothing to be a part of. */
export function usedPercent({ most, used }: Pick<LimitUse, "most" | "used">): number | null {
  return most === null || used === null ? null : Math.min(100, Math.floor((100 * used) / most));
}

const NEARLY = 80; // percent, from which on the inbox tells of a budget

export const colorOfUse = (percent: number) => (percent >= 100 ? "red" : percent >= NEARLY ? "orange" : "blue");

export type FormValues = Record<keyof UsageLimits, string | number>;

/** As a form shows them: storage in GiB, and nothing where there is no limit. */
export function toForm(limits: Partial<UsageLimits>): FormValues {
  return {
    requests_per_minute: limits.requests_per_minute ?? "",
    key_requests_per_minute: limits.key_requests_per_minute ?? "",
    tokens_per_day: limits.tokens_per_day ?? "",
    cost_per_day: limits.cost_per_day ?? "",
    storage_bytes: limits.storage_bytes == null ? "" : limits.storage_bytes / GIB,
  };
}

const read = (value: string | number): number | null => (value === "" ? null : Number(value));

export function fromForm(values: FormValues): UsageLimits {
  const storage = read(values.storage_bytes);
  return {
    requests_per_minute: read(values.requests_per_minute),
    key_requests_per_minute: read(values.key_requests_per_minute),
    tokens_per_day: read(values.tokens_per_day),
    cost_per_day: read(values.cost_per_day),
    storage_bytes: storage === null ? null : Math.round(storage * GIB),
  };
}
