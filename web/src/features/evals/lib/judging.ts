/** What a judge said of replays, in words. Pure. */
import type { EvalRunDetail, ReplayDetail } from "@/api/types";

export type ReplayJudging = NonNullable<ReplayDetail["judging"]>;
export type Rubric = NonNullable<ReplayDetail["rubric"]>;
export type RunJudging = NonNullable<EvalRunDetail["judging"]>;

interface Look {
  label: string;
  color: string;
  sign: string;
  means: string;
}

export const JUDGING_LOOK: Record<ReplayJudging["state"], Look> = {
  pending: { label: "Waits for the judge", color: "gold", sign: "…", means: "A language model is asked about it" },
  judged: { label: "Judged", color: "gray", sign: "✓", means: "A language model has read what it did" },
  not_judged: { label: "Not judged", color: "gray", sign: "–", means: "There is nobody to ask" },
  failed: { label: "The judge failed", color: "orange", sign: "!", means: "Whoever was asked gave no answer that can be used: that is no score" },
};

const WORDS: Record<string, string> = {
  fully: "Fully",
  mostly: "Mostly",
  partly: "Partly",
  barely: "Barely",
  not_at_all: "Not at all",
  cannot_tell: "Cannot tell",
};

export interface RatingRow {
  key: string;
  label: string;
  verdict: string;
  score: string;
  passed: boolean;
  rationale: string;
}

/** Each rating with what it came to, by label; one without a score says so. */
export function ratingRows({ dimensions }: Rubric): RatingRow[] {
  const rows = Object.entries(dimensions).map(([key, { label, verdict, score, scale, passed, rationale }]) => ({
    key,
    label: label ?? key,
    verdict: verdict ? (WORDS[verdict] ?? verdict) : passed ? "Passed" : "Not passed",
    score: score === null ? "No score" : `${rounded(score)} (${rounded(scale[0] ?? 0)} to ${rounded(scale[1] ?? 0)})`,
    passed,
    rationale,
  }));
  return rows.toSorted((one, other) => one.label.localeCompare(other.label, "en"));
}

function rounded(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** "3 judged, 1 not judged": what there is none of is left out. */
export function judgingCounts({ judged, pending, notJudged, failed }: RunJudging): string {
  const parts: [number, string][] = [
    [judged, "judged"],
    [pending, "waiting for the judge"],
    [notJudged, "not judged"],
    [failed, "where the judge failed"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString("en")} ${what}`)
    .join(", ");
}

/** How far the judge says what the comparison says. */
export function agreementLine({ agreement: { replays, kappa, low } }: RunJudging): string {
  if (replays === 0) return "no replay has both";
  if (kappa === null || low === null) return `cannot be told: one of them says the same of all ${replays}`;
  return `kappa ${kappa.toFixed(2)}, at least ${low.toFixed(2)}, n = ${replays.toLocaleString("en")}`;
}
