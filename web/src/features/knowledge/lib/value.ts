/** What a row of knowledge is worth, in words: a figure with its interval and number, or why there is none. Pure. */
import type { Knowledge, MeasuredValue, PairedEvidence } from "@/api/types";
import { plural } from "@/features/feedback/lib/words";
import { type Scale, scaleOf } from "@/ui/chart/scale";

export type RowLabel = MeasuredValue["label"];
export type NoValue = NonNullable<MeasuredValue["reason"]>;
export type Staleness = MeasuredValue["stale_because"][number];

/** A figure; an experiment and a row have it alike. */
export interface Figure {
  delta: number;
  low: number;
  high: number;
  n: number;
  basis: MeasuredValue["basis"];
}

type Measured = Pick<MeasuredValue, "label" | "reason" | "basis" | "delta" | "low" | "high" | "n">;

export const LABEL_LOOK: Record<RowLabel, { label: string; color: string; sign: string; means: string }> = {
  measured: { label: "Helps", color: "green", sign: "▲", means: "Replays with it pass more often than replays without it" },
  flagged: { label: "Flagged, unconfirmed", color: "yellow", sign: "?", means: "It showed an effect among others; pairs of it alone have not confirmed that" },
  harmful: { label: "Harmful", color: "red", sign: "▼", means: "Replays with it pass less often than replays without it" },
  "no effect found": { label: "No effect found", color: "gray", sign: "=", means: "What replays show may be chance; that is not the same as no effect" },
  unmeasured: { label: "Unmeasured", color: "gray", sign: "–", means: "An experiment was made, and cannot tell" },
};

/** Why an experiment measured nothing; that it never applied is not a value of 0. */
export const NO_VALUE_LOOK: Record<NoValue, { short: string; means: string }> = {
  never_applied: { short: "Never applied", means: "It applied to no replay, so there is no value: that is not a value of 0" },
  not_drawn: { short: "Unmeasured: not drawn", means: "It applies, and no replay that counts was made with it and without it" },
  lost: { short: "Unmeasured: replays were lost", means: "Too many replays decided nothing, or it depends on what those count as: they asked for what no recording answers" },
  always_present: { short: "Unmeasured: every replay had it", means: "Every replay had it, so there is nothing to compare with" },
  never_present: { short: "Unmeasured: no replay had it", means: "No replay had it, so there is nothing to compare with" },
  not_varied: { short: "Unmeasured: not varied", means: "No golden was replayed both with it and without it" },
  too_few: { short: "Unmeasured: too few replays", means: "Fewer than 5 replays had it or had it not, or there are fewer replays than goldens and rows" },
  aliased: { short: "Unmeasured: not told apart", means: "It came and went together with others, so whose effect it was cannot be told" },
};

const STALE_WORDS: Record<Staleness, string> = {
  agent: "the agent has a newer version",
  model: "the agent runs on another model",
  content: "it says something else now",
  goldens: "the goldens are others, or are compared otherwise",
};

/** "Old: the agent has a newer version, and it says something else now." */
export function staleLine(because: readonly Staleness[]): string {
  const parts = because.map((each) => STALE_WORDS[each]);
  const words = parts.length > 1 ? `${parts.slice(0, -1).join(", ")}, and ${parts.at(-1)}` : (parts[0] ?? "what it was measured on has changed");
  return `Old: ${words}.`;
}

export function figureOf({ delta, low, high, n, basis }: Measured): Figure | null {
  return delta === null || low === null || high === null ? null : { delta, low, high, n, basis };
}

/** In points of 100, always with one place: figures stand below each other. */
export function fixed(share: number): string {
  const text = (Math.round(Math.abs(share) * 1000) / 10).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return share < 0 && text !== "0.0" ? `−${text}` : text;
}

function signed(share: number): string {
  const text = fixed(share);
  return share > 0 && text !== "0.0" ? `+${text}` : text;
}

/** "+4.1 (1.2 to 7.0), n 48": never a bare number. What belongs together is not broken apart. */
export function figureWords({ delta, low, high, n }: Omit<Figure, "basis">): string {
  return `${signed(delta)} (${fixed(low)} to ${fixed(high)}), n\u00a0${n.toLocaleString("en")}`;
}

/** What is said first, and the figure where that is not the first thing itself. */
export function valueParts(value: Measured | null, isActive: boolean): { head: string; figure: string | null } {
  if (!value) return { head: isActive ? "Approved, unmeasured" : "Unmeasured", figure: null };
  const figure = figureOf(value);
  if (!figure || value.label === "unmeasured") return { head: value.reason ? NO_VALUE_LOOK[value.reason].short : "Unmeasured", figure: null };
  if (value.label === "measured") return { head: figureWords(figure), figure: null };
  return { head: LABEL_LOOK[value.label].label, figure: figureWords(figure) };
}

/** All of it in one line; "approved, unmeasured" where a person let it in and nobody has measured it. */
export function valueOf({ value, state }: Pick<Knowledge, "value" | "state">): string {
  const { head, figure } = valueParts(value, state === "active");
  return `${figure ? `${head}, ${figure}` : head}${value?.stale ? " (old)" : ""}`;
}

const WHOLE = 100;

/** A sentence for whoever wants to know at once: what replays do with it, and how sure that is. */
export function valueSentence(value: Measured): string {
  const figure = figureOf(value);
  if (!figure || value.label === "unmeasured") return value.reason ? `${NO_VALUE_LOOK[value.reason].means}.` : "Too little is known of it.";
  const { delta, low, high } = figure;
  const by = Math.abs(Math.round(delta * WHOLE * 10) / 10).toLocaleString("en", { maximumFractionDigits: 1 });
  const how = by === "0" ? "as often as" : `${by} points ${delta < 0 ? "less" : "more"} often than`;
  const sure = `The 95% interval is ${fixed(low)} to ${fixed(high)}, by ${byWhat(figure)}.`;
  if (value.label === "no effect found") return `Replays with it passed ${how} without it, which may be chance. ${sure}`;
  if (value.label === "flagged") return `Among other rows, replays with it passed ${how} without it. Replays of it alone have not confirmed that. ${sure}`;
  return `Replays with it pass ${how} without it. ${sure}`;
}

/** "48 replays", "40 pairs of replays". */
export function byWhat({ n, basis }: Pick<Figure, "n" | "basis">): string {
  return basis === "pairs" ? plural(n, "pair", "pairs of replays") : plural(n, "replay");
}

/** Room for all of these around zero, at least 10 points to each side: a wee effect does not look like a large one. */
export function valueScale(figures: readonly Pick<Figure, "low" | "high">[]): Scale {
  return scaleOf([-LEAST, LEAST, ...figures.flatMap(({ low, high }) => [low, high])]);
}

/** One for all rows of a list, so that they can be compared by eye. */
export function scaleOfRows(rows: readonly Pick<Knowledge, "value">[]): Scale {
  return valueScale(rows.flatMap(({ value }) => (value && figureOf(value)) ?? []));
}

const LEAST = 0.1;
const ENOUGH = 20; // an e-value; a row that does nothing ever comes to it at most once in 20

/** How much evidence pairs are, in words that hold whenever one looks. */
export function evidenceWords({ e_helps, e_harms }: Pick<PairedEvidence, "e_helps" | "e_harms">): string {
  if (e_harms >= ENOUGH) return `Evidence that it harms: ${eWords(e_harms)}, and ${ENOUGH} is enough`;
  if (e_helps >= ENOUGH) return `Evidence that it helps: ${eWords(e_helps)}, and ${ENOUGH} is enough`;
  const [word, most] = e_harms > e_helps ? ["harms", e_harms] : ["helps", e_helps];
  if (most <= 1) return `No evidence yet, either way; ${ENOUGH} is enough`;
  return `Evidence that it ${word}: ${eWords(most)} so far; ${ENOUGH} is enough`;
}

function eWords(e: number): string {
  if (e >= 10_000) return "over 10,000";
  return e.toLocaleString("en", { maximumFractionDigits: e < 100 ? 1 : 0 });
}

/** "20 pairs on 3 goldens: 9 better with it, 1 worse, 10 the same". */
export function pairsWords({ goldens, pairs, wins, losses }: PairedEvidence): string {
  const same = pairs - wins - losses;
  return `${plural(pairs, "pair")} on ${plural(goldens, "golden")}: ${wins} better with it, ${losses} worse, ${same} the same`;
}

/** "3 replays with it and 1 without it decided nothing"; null where none did. */
export function lostWords(withIt: number, without: number): string | null {
  if (withIt + without === 0) return null;
  return `${plural(withIt, "replay")} with it and ${without.toLocaleString("en")} without it decided nothing`;
}

/** What was put away is not tried any more. */
export function isMeasurable({ state }: Pick<Knowledge, "state">): boolean {
  return state !== "retired" && state !== "rejected";
}

/** What is proposed on this evidence; a person decides. */
export function proposalOf({ flags, state, value }: Pick<Knowledge, "flags" | "state"> & { value?: Pick<MeasuredValue, "stale"> | null }): { step: "approve" | "retire" | "dismiss"; color: string; words: string } | null {
  const since = value?.stale ? " What it was measured on has changed since: to measure it again would tell whether that still holds." : "";
  if (flags.includes("harms")) {
    const step = state === "proposed" ? "dismiss" : "retire";
    return { step, color: "red", words: `It was measured to harm. To ${step === "dismiss" ? "reject" : "retire"} it is proposed; a person decides.${since}` };
  }
  if (!flags.includes("helps")) return null;
  return { step: "approve", color: "green", words: `It was measured to help, and no prompt holds it. To approve it is proposed; a person decides.${since}` };
}

/** The figure that a step of a history was taken on: words, or null where none is known. */
export function valueThen(evidence: Record<string, unknown>): string | null {
  const { value } = evidence;
  if (value === "unmeasured") return "unmeasured";
  if (typeof value !== "object" || value === null || !("label" in value)) return null;
  return valueOf({ value: { ...(value as MeasuredValue), stale: false }, state: "shadow" });
}
