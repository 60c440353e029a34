/** What the addresses of sessions may say; a value that cannot be used counts as not given. */
import * as v from "valibot";
import { PERIODS } from "@/features/conversations/lib/period";
import { SESSION_SOURCES, SESSION_STATUSES, SESSION_TYPES } from "./status";

export const WAITS_FOR = ["answer", "look"] as const;

const MAX_TEXT = 200; // the server's limit of a search and of an agent
const MAX_SEQ = 2 ** 31 - 1;

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

/** The router reads `?q=2026` as a number; a search and a name are text. */
const text = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
  v.minLength(1),
  v.maxLength(MAX_TEXT),
);
const day = v.pipe(v.string(), v.isoDate());

export const sessionsSearch = v.object({
  q: lenient(text),
  status: lenient(v.picklist(SESSION_STATUSES)),
  /** Only those that wait for a person: for an answer, or to be looked at. */
  waits_for: lenient(v.picklist(WAITS_FOR)),
  agent: lenient(text),
  type: lenient(v.picklist(SESSION_TYPES)),
  source: lenient(v.picklist(SESSION_SOURCES)),
  golden: lenient(v.boolean()),
  /** The last so many days, or from and to a day, in UTC. */
  days: lenient(v.picklist(PERIODS)),
  start: lenient(day),
  end: lenient(day),
});
export type SessionsSearch = v.InferOutput<typeof sessionsSearch>;

/** How one session is looked at: as people read it, over time, or event by event. */
export const SESSION_VIEWS = ["conversation", "timeline", "events"] as const;
export type SessionView = (typeof SESSION_VIEWS)[number];

export const sessionSearch = v.object({
  view: lenient(v.picklist(SESSION_VIEWS)),
  /** The `seq` of the event to show first, opened. */
  event: lenient(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_SEQ))),
});
export type SessionSearch = v.InferOutput<typeof sessionSearch>;

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** How the list was looked at from which a session was opened. */
    sessions?: SessionsSearch;
  }
}

const FILTERS = Object.keys(sessionsSearch.entries) as (keyof SessionsSearch)[];

/** Whether anything narrows the list: then an empty one means "nothing matches". */
export function isNarrowed(search: SessionsSearch): boolean {
  return FILTERS.some((filter) => search[filter] !== undefined);
}

/** Filters that stand behind "Filter": the others are always in sight. Days that belong together are one. */
const MORE_FILTERS = [["waits_for"], ["source"], ["golden"], ["days", "start", "end"]] as const;

/** How many of them narrow the list. */
export function countMore(search: SessionsSearch): number {
  return MORE_FILTERS.filter((filters) => filters.some((filter) => search[filter] !== undefined)).length;
}

/** A change that clears them. */
export function noMoreFilters(): Partial<SessionsSearch> {
  return Object.fromEntries(MORE_FILTERS.flat().map((filter) => [filter, undefined]));
}

/** A change that clears every filter. */
export function noFilters(): Partial<SessionsSearch> {
  return Object.fromEntries(FILTERS.map((filter) => [filter, undefined]));
}
