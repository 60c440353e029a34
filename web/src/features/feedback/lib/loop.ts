/** The figures of the quality loop in words. Pure. */
import type { QualityLoopReport } from "@/api/types";
import { percent } from "@/features/conversations/lib/reactions";
import { interval } from "@/features/conversations/lib/satisfaction";

type Share = QualityLoopReport["accepted_first"];
type Average = QualityLoopReport["feedback_quality"];

/** A figure with how far it can be trusted: its interval, and of how many it was counted. */
export interface Figure {
  /** "–" where there was nothing to count. */
  value: string;
  detail: string;
  /** Of 100: where the value is and how far its interval reaches; null where it cannot be drawn. */
  bar: { at: number; low: number; high: number } | null;
}

const NOTHING: Figure = { value: "–", detail: "Nothing to count yet", bar: null };

export function shareFigure({ share, low, high, count, n }: Share, of: string): Figure {
  if (share === null) return NOTHING;
  const known = low !== null && high !== null ? { at: share * 100, low: low * 100, high: high * 100 } : null;
  return { value: percent(share), detail: [interval({ low, high }), `${count} of ${n} ${of}`].filter(Boolean).join(" · "), bar: known };
}

/** Of 100. */
export function scoreFigure({ value, low, high, n }: Average, of: string): Figure {
  if (value === null) return NOTHING;
  const range = low !== null && high !== null ? `${Math.round(low)} to ${Math.round(high)} of 100` : "of 100";
  const bar = low !== null && high !== null ? { at: value, low, high } : null;
  return { value: String(Math.round(value)), detail: `${range} · ${n} ${of}`, bar };
}

export function hoursFigure({ value, low, high, n }: Average, of: string): Figure {
  if (value === null) return NOTHING;
  const range = low !== null && high !== null ? `${hoursText(low)} to ${hoursText(high)} · ` : "";
  return { value: hoursText(value), detail: `${range}${n} ${of}`, bar: null };
}

/** "40 min", "6 h", "12 days". */
export function hoursText(hours: number): string {
  if (hours < 1) return `${Math.round(hours * 60)}\u00a0min`;
  if (hours < 48) return `${Math.round(hours)}\u00a0h`;
  return `${Math.round(hours / 24)}\u00a0days`;
}
