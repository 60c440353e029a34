/** An unfinished matrix is kept in this browser, never as a response. */
import * as v from "valibot";
import { type MatrixDraft, isUntouched } from "./edgeMatrix";

const PREFIX = "goldloop.matrix-draft";

export interface DraftPlace {
  tenant: string;
  user: string;
  entityId: string;
  setId: string;
  /** A changed set asks other questions: its drafts are others. */
  setVersion: number;
}

export interface KeptDraft extends MatrixDraft {
  keptAt: string;
}

const Kept = v.object({
  values: v.record(v.string(), v.record(v.string(), v.unknown())),
  notes: v.string(),
  temporalValue: v.string(),
  keptAt: v.string(),
});

function family({ tenant, user, entityId, setId }: DraftPlace): string {
  return [PREFIX, tenant, user, entityId, setId, ""].map(encodeURIComponent).join(":");
}

export function draftKey(place: DraftPlace): string {
  return `${family(place)}v${place.setVersion}`;
}

/** Null when there is none, when it cannot be read, or when the browser keeps nothing. */
export function readDraft(place: DraftPlace): KeptDraft | null {
  try {
    const parsed = v.safeParse(Kept, JSON.parse(localStorage.getItem(draftKey(place)) ?? "null"));
    return parsed.success && !isUntouched(parsed.output) ? parsed.output : null;
  } catch {
    return null;
  }
}

/** False when the browser cannot keep it. A draft with nothing in it is none. */
export function keepDraft(place: DraftPlace, draft: MatrixDraft, now: Date): boolean {
  try {
    const key = draftKey(place);
    dropAll((each) => each.startsWith(family(place)) && each !== key);
    if (isUntouched(draft)) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ ...draft, keptAt: now.toISOString() } satisfies KeptDraft));
    return true;
  } catch {
    return false; // storage may be blocked, or full
  }
}

export function dropDraft(place: DraftPlace): void {
  try {
    localStorage.removeItem(draftKey(place));
  } catch {
    // Nothing was kept either.
  }
}

function dropAll(isOld: (key: string) => boolean): void {
  const keys = Array.from({ length: localStorage.length }, (_, place) => localStorage.key(place));
  for (const key of keys) if (key !== null && isOld(key)) localStorage.removeItem(key);
}
