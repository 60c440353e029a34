/** What the addresses of conversations may say; a value that cannot be used counts as not given. */
import * as v from "valibot";
import { PERIODS } from "./period";
import { ORIGINS, REACTIONS, USER_TYPES } from "./reactions";

export const BUCKETS = ["day", "week", "month"] as const;
export type Bucket = (typeof BUCKETS)[number];
export const GROUPS = ["project", "agent", "origin"] as const;
export type GroupBy = (typeof GROUPS)[number];
export const REACTIONS_OF = [...USER_TYPES, "all"] as const; // satisfaction is that of the first unless told

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

/** The last so many days, or from and to a day; days begin and end in UTC, so that a link means the same everywhere. */
const period = { days: lenient(v.picklist(PERIODS)), start: lenient(day), end: lenient(day) };
const shared = { project: lenient(text), agent: lenient(text), origin: lenient(v.picklist(ORIGINS)), ...period };

export const conversationsSearch = v.object({
  ...shared,
  q: lenient(text),
  user: lenient(text),
  reaction: lenient(v.picklist(REACTIONS)),
  user_type: lenient(v.picklist(USER_TYPES)),
  /** Days on which a reaction was given; `start` and `end` are about the last turn. */
  reacted_start: lenient(day),
  reacted_end: lenient(day),
});
export type ConversationsSearch = v.InferOutput<typeof conversationsSearch>;

export const unclearSearch = v.object({ project: lenient(text) });
export type UnclearSearch = v.InferOutput<typeof unclearSearch>;

export const satisfactionSearch = v.object({
  ...shared,
  bucket: lenient(v.picklist(BUCKETS)),
  by: lenient(v.picklist(GROUPS)),
  user_type: lenient(v.picklist(REACTIONS_OF)),
});
export type SatisfactionSearch = v.InferOutput<typeof satisfactionSearch>;

export const transcriptSearch = v.object({
  /** The turn to show first. */
  turn: lenient(text),
});

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** How the list was looked at from which a conversation was opened. */
    conversations?: ConversationsSearch;
  }
}

const FILTERS = Object.keys(conversationsSearch.entries) as (keyof ConversationsSearch)[];

/** Whether anything narrows the list: then an empty one means "nothing matches". */
export function isNarrowed(search: ConversationsSearch): boolean {
  return FILTERS.some((filter) => search[filter] !== undefined);
}

/** Filters that stand behind "Filter": the others are always in sight. Days that belong together are one. */
export const MORE_FILTERS = [["user"], ["origin"], ["user_type"], ["days", "start", "end"], ["reacted_start", "reacted_end"]] as const;

/** How many of them narrow the list. */
export function countMore(search: ConversationsSearch): number {
  return MORE_FILTERS.filter((filters) => filters.some((filter) => search[filter] !== undefined)).length;
}

/** A change that clears them. */
export function noMoreFilters(): Partial<ConversationsSearch> {
  return Object.fromEntries(MORE_FILTERS.flat().map((filter) => [filter, undefined]));
}

/** A change that clears every filter. */
export function noFilters(): Partial<ConversationsSearch> {
  return Object.fromEntries(FILTERS.map((filter) => [filter, undefined]));
}

/** What the conversations pages are, each with an address of its own. */
export const PARTS = [
  { to: "/admin/agent-review/conversations", label: "Conversations", search: conversationsSearch },
  { to: "/admin/agent-review/conversations/unclear", label: "Unclear reactions", search: unclearSearch },
  { to: "/admin/agent-review/conversations/satisfaction", label: "Satisfaction", search: satisfactionSearch },
] as const;
export type Part = (typeof PARTS)[number];

/** What goes along to another part: whatever narrows that as well. */
export function searchOfPart({ search }: Part, said: object) {
  const along = Object.entries(said).filter(([key]) => key in shared);
  return given(v.parse(search, Object.fromEntries(along)));
}

const OLD_TABS = ["conversations", "unclear", "satisfaction"];

/** Where a page is now that had one address for all parts, told apart by `?tab=`. */
export function findMoved(said: Record<string, unknown>) {
  const part = PARTS[OLD_TABS.indexOf(String(said.tab))] ?? PARTS[0];
  return { to: part.to, search: given(v.parse(part.search, said)) };
}

function given<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;
}
