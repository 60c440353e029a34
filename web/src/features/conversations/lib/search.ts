/** What the addresses of conversations may say; a value that cannot be used counts as not given. */
import * as v from "valibot";
import { PERIODS } from "./period";
import { ORIGINS, REACTIONS } from "./reactions";

export const TABS = ["conversations", "unclear", "satisfaction"] as const;
export type Tab = (typeof TABS)[number];
export const BUCKETS = ["day", "week", "month"] as const;
export type Bucket = (typeof BUCKETS)[number];
export const GROUPS = ["project", "agent", "origin"] as const;
export type GroupBy = (typeof GROUPS)[number];

const MAX_TEXT = 200; // the server's limit of a search and of an id

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

/** The router reads `?q=2026` as a number; a search and an id are text. */
const text = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
  v.minLength(1),
  v.maxLength(MAX_TEXT),
);
const day = v.pipe(v.string(), v.isoDate());

export const agentReviewSearch = v.object({
  tab: lenient(v.picklist(TABS)),
  q: lenient(text),
  project: lenient(text),
  agent: lenient(text),
  user: lenient(text),
  reaction: lenient(v.picklist(REACTIONS)),
  origin: lenient(v.picklist(ORIGINS)),
  /** The last so many days, or from and to a day; days begin and end in UTC, so that a link means the same everywhere. */
  days: lenient(v.picklist(PERIODS)),
  start: lenient(day),
  end: lenient(day),
  bucket: lenient(v.picklist(BUCKETS)),
  by: lenient(v.picklist(GROUPS)),
});
export type AgentReviewSearch = v.InferOutput<typeof agentReviewSearch>;

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** How the list was looked at from which a conversation was opened. */
    agentReview?: AgentReviewSearch;
  }
}

export const transcriptSearch = v.object({
  /** The turn to show first. */
  turn: lenient(text),
});

const FILTERS = ["q", "project", "agent", "user", "reaction", "origin", "days", "start", "end"] as const;

/** Whether anything narrows the list: then an empty one means "nothing matches". */
export function isNarrowed(search: AgentReviewSearch): boolean {
  return FILTERS.some((filter) => search[filter] !== undefined);
}

/** A change that clears every filter. */
export function noFilters(): Partial<AgentReviewSearch> {
  return Object.fromEntries(FILTERS.map((filter) => [filter, undefined]));
}

/** What goes along to another tab: whatever narrows that as well. */
export function searchOfTab(tab: Tab, { project, agent, origin, days, start, end }: AgentReviewSearch): AgentReviewSearch {
  const kept = tab === "unclear" ? { project } : { project, agent, origin, days, start, end };
  return { ...kept, tab: tab === "conversations" ? undefined : tab } as AgentReviewSearch;
}
