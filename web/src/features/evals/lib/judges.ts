/** What a judge's word is worth, in words. Pure. */
import type { EvalJudge, JudgeEvidence, JudgedRate, LabelItem, LabelsWanted } from "@/api/types";
import { percent } from "./numbers";
import { plural } from "./words";

export type LicenceState = EvalJudge["licence"];
export type LicenceStatus = LicenceState["status"];

interface Look {
  label: string;
  color: string;
  variant: "light" | "outline";
  means: string;
}

export const LICENCE_LOOK: Record<LicenceStatus, Look> = {
  none: { label: "Advisory", color: "gray", variant: "outline", means: "Nobody has labelled what it judged: its word is shown and decides nothing" },
  advisory: { label: "Advisory", color: "gray", variant: "outline", means: "Its word is shown and decides nothing" },
  licensed: { label: "Licensed", color: "green", variant: "light", means: "People have checked it: a run may be held to its corrected rate" },
  expired: { label: "Licence expired", color: "orange", variant: "light", means: "Its licence has run out: its word decides nothing" },
  void: { label: "Licence void", color: "orange", variant: "light", means: "It is another judge by now: its word decides nothing" },
};

export const LICENCE_STATUSES = ["none", "advisory", "licensed", "expired", "void"] as const satisfies readonly LicenceStatus[];

export const STATUS_FILTER: Record<LicenceStatus, string> = {
  none: "Nobody has labelled",
  advisory: "Advisory",
  licensed: "Licensed",
  expired: "Expired",
  void: "Void",
};

/** "kappa 0.78, at least 0.63, n = 114": never a bare number. */
export function kappaLine({ kappa, low, labelled }: Pick<LicenceState, "kappa" | "low" | "labelled">): string {
  if (kappa === null || low === null) return labelled === 0 ? "not labelled" : `n = ${labelled.toLocaleString("en")}, no kappa`;
  return `kappa ${kappa.toFixed(2)}, at least ${low.toFixed(2)}, n = ${labelled.toLocaleString("en")}`;
}

/** "90% (70% to 97%), 18 of 20"; what nobody labelled has no share. */
export function shareLine({ hits, of, rate, low, high }: JudgeEvidence["tpr"]): string {
  if (rate === null) return "no labels";
  return `${percent(rate)} (${percent(low)} to ${percent(high)}), ${hits} of ${of}`;
}

/** What people must still say before the judge can have a licence; null where that is enough. */
export function wantedLine({ labels, passed, failed, goldens }: Omit<LabelsWanted, "draw">): string | null {
  if (labels + passed + failed + goldens === 0) return null;
  const classes = [
    ...(passed > 0 ? [`${passed} that meet the rubric`] : []),
    ...(failed > 0 ? [`${failed} that do not`] : []),
    ...(goldens > 0 ? [`some of ${goldens} more ${goldens === 1 ? "golden" : "goldens"}`] : []),
  ];
  const kinds = classes.length > 2 ? `${classes.slice(0, -1).join(", ")} and ${classes.at(-1)}` : classes.join(" and ");
  const least = classes.length > 0 ? `, among them ${kinds}` : "";
  return labels > 0 ? `${plural(labels, "more label")} wanted${least}` : `More labels wanted: ${kinds}`;
}

/** "10, and at most 20% of the labels of one": how far the labels are of different goldens. */
export function goldensLine({ goldens, largest }: Pick<JudgeEvidence, "goldens" | "largest">): string {
  return largest === null ? "no labels" : `${goldens.toLocaleString("en")}, at most ${percent(largest)} of the labels of one`;
}

export const METHOD: Record<NonNullable<JudgedRate["corrected"]>["method"], string> = {
  rogan_gladen: "by how the judge errs on labelled replays (Rogan–Gladen)",
  ppi: "by labels on a random part of this run (PPI++)",
  people: "by people, who labelled all of it",
};

/** "62% (48% to 75%)", or why there is none. */
export function correctedLine({ corrected, refused }: Pick<JudgedRate, "corrected" | "refused">): string {
  if (corrected === null) return `Not corrected: ${refused?.message ?? "nobody knows how the judge errs"}`;
  return `${percent(corrected.rate)} (${percent(corrected.low)} to ${percent(corrected.high)})`;
}

export function judgeTitle({ rubric, model }: Pick<EvalJudge, "rubric" | "model">): string {
  return `${rubric.name}, by ${model ?? "a model that is not known"}`;
}

const HASH_CHARACTERS = 8; // enough to tell rubrics apart

/** What a licence is of: "Rubric 48af613c, model gpt-5, prompt 1.176b42c5". */
export function boundTo({ rubric, model, prompt }: Pick<EvalJudge, "rubric" | "model" | "prompt">): string {
  return `Rubric ${rubric.hash.slice(0, HASH_CHARACTERS)}, ${model ? `model ${model}` : "a model that is not known"}, prompt ${prompt}`;
}

export type Said = "passed" | "failed" | "cannot_tell";

export const SAID_AS: Record<Said, boolean | null> = { passed: true, failed: false, cannot_tell: null };

export type Ratings = Readonly<Record<string, number>>;

const PASSING = 0.75; // of a rating's scale, for people as for judges

/** What ratings leave to be said: it passes only where each given one does, and fails unless all are given and do. */
export function maySay(choice: Said, values: Ratings, ratings: LabelItem["ratings"]): boolean {
  const given = ratings.filter(({ key }) => values[key] !== undefined);
  const areMet = given.every(({ key, scale }) => {
    const [low, high] = scale ?? [1, 5];
    return low < high && ((values[key] ?? low) - low) / (high - low) >= PASSING;
  });
  if (choice === "passed") return areMet;
  return choice === "cannot_tell" || !(areMet && given.length > 0 && given.length === ratings.length);
}

export function saidOf(passed: boolean | null): Said {
  return passed === null ? "cannot_tell" : passed ? "passed" : "failed";
}

export const PART_LABEL: Record<LabelItem["parts"][number]["kind"], string> = {
  before: "Before",
  asked: "Asked",
  agent: "Agent",
  call: "Calls",
  result: "Answer",
  failed: "Failed",
  output: "Output",
};

/** What a step shows: its text, else its value as JSON. */
export function partText({ text, value }: LabelItem["parts"][number]): string {
  if (text !== null && text !== undefined) return text;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
