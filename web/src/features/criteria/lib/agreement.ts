/** How an agreement between respondents is worded. */
import type { Agreement } from "@/api/types";

const RELIABLE = 0.8; // Krippendorff: conclusions may be drawn
const TENTATIVE = 0.667; // below, they may not

export interface Grade {
  label: string;
  color: string;
}

export function gradeAlpha(alpha: number): Grade {
  if (alpha >= RELIABLE) return { label: "Reliable", color: "green" };
  return alpha >= TENTATIVE ? { label: "Tentative", color: "gold" } : { label: "Low", color: "red" };
}

const WHY_NONE: Record<NonNullable<Agreement["reason"]>, string> = {
  not_measured: "Text cannot be compared",
  one_rater: "Only one person or agent has answered",
  no_pairs: "Nothing was answered by two",
  no_variation: "All answers are the same",
};

export function whyNone({ reason }: Agreement): string {
  return reason ? (WHY_NONE[reason] ?? "Cannot be told") : "Cannot be told";
}
