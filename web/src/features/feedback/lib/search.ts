/** What the addresses of feedback may say; a value that cannot be used counts as not given. */
import * as v from "valibot";
import { PERIODS, type Period, bounds } from "@/features/conversations/lib/period";
import { KINDS, RATINGS, SOURCES, STATES, STATUSES } from "./words";

/** Whatever the status. */
export const ANY = "any" as const;

const MAX_TEXT = 200; // the server's limit of a search

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

/** The router reads `?q=2026` as a number; a search is text. */
const text = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
  v.minLength(1),
  v.maxLength(MAX_TEXT),
);
const uuid = v.pipe(v.string(), v.uuid());
const day = v.pipe(v.string(), v.isoDate());

/** The last so many days, or from and to a day, in UTC. */
const period = { days: lenient(v.picklist(PERIODS)), start: lenient(day), end: lenient(day) };
/** What narrows groups and lists alike. */
const shared = {
  q: lenient(text),
  rating: lenient(v.picklist(RATINGS)),
  source: lenient(v.picklist(SOURCES)),
  /** By slug. */
  agent: lenient(text),
  type: lenient(text),
  ...period,
};

export const groupsSearch = v.object({
  ...shared,
  kind: lenient(v.picklist(KINDS)),
  state: lenient(v.picklist(STATES)),
  /** Those that are proposed, unless told: `no` has those that are not. */
  proposed: lenient(v.literal("no")),
  /** The group and the one of its members that are shown. */
  group: lenient(uuid),
  feedback: lenient(uuid),
});
export type GroupsSearch = v.InferOutput<typeof groupsSearch>;

export const feedbackSearch = v.object({
  ...shared,
  /** In no group: those that wait, unless told. */
  status: lenient(v.picklist([...STATUSES, ANY])),
  /** The one that is shown. */
  feedback: lenient(uuid),
});
export type FeedbackSearch = v.InferOutput<typeof feedbackSearch>;

export const UNITS = ["day", "week", "month"] as const;
export type Unit = (typeof UNITS)[number];
export const trendsSearch = v.object({ ...period, unit: lenient(v.picklist(UNITS)) });
export type TrendsSearch = v.InferOutput<typeof trendsSearch>;

export const qualitySearch = v.object(period);
export type QualitySearch = v.InferOutput<typeof qualitySearch>;

/** The pages of feedback, each with an address of its own. */
export const PARTS = [
  { to: "/admin/agent-review/feedback", label: "Groups", search: groupsSearch },
  { to: "/admin/agent-review/feedback/single", label: "In no group", search: feedbackSearch },
  { to: "/admin/agent-review/feedback/all", label: "All", search: feedbackSearch },
  { to: "/admin/agent-review/feedback/trends", label: "Over time", search: trendsSearch },
  { to: "/admin/agent-review/feedback/quality", label: "Quality loop", search: qualitySearch },
  { to: "/admin/agent-review/feedback/import", label: "Import", search: v.object({}) },
] as const;
export type Part = (typeof PARTS)[number];

/** What goes along to another part: whatever narrows that as well. */
export function searchOfPart({ search }: Part, said: object) {
  const along = Object.entries(said).filter(([key, value]) => key in shared && value !== undefined);
  const parsed = v.parse(search, Object.fromEntries(along));
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined)) as typeof parsed;
}

/** From and to as the server calls them. */
export function timesOf(chosen: Period, now: Date): { since?: string; until?: string } {
  const { start, end } = bounds(chosen, now);
  return { ...(start ? { since: start } : {}), ...(end ? { until: end } : {}) };
}

type Shared = Pick<GroupsSearch, "q" | "rating" | "source" | "agent" | "type" | "days" | "start" | "end">;

function sharedQuery({ q, rating, source, agent, type, ...chosen }: Shared, now: Date) {
  return {
    ...(q ? { q } : {}),
    ...(rating ? { rating } : {}),
    ...(source ? { source_type: source } : {}),
    ...(agent ? { agent } : {}),
    ...(type ? { entity_type: type } : {}),
    ...timesOf(chosen, now),
  };
}

/** What the server is asked for: of open groups only those with members that wait. */
export function groupsQuery({ kind, state = "open", proposed, group: _group, feedback: _feedback, ...rest }: GroupsSearch, now: Date) {
  return {
    ...sharedQuery(rest, now),
    ...(kind ? { kind } : {}),
    state,
    proposed: proposed !== "no",
    ...(state === "open" ? { waits: true } : {}),
  };
}

/** `single` has what is in no group: of that what waits, unless told. */
export function feedbackQuery({ status, feedback: _feedback, ...rest }: FeedbackSearch, single: boolean, now: Date) {
  const wanted = status ?? (single ? "pending" : ANY);
  return { ...sharedQuery(rest, now), ...(wanted === ANY ? {} : { status: wanted }), ...(single ? { grouped: false } : {}) };
}

type Filters = Omit<GroupsSearch & FeedbackSearch, "group" | "feedback">;

/** Filters that stand behind "Filter": the others are always in sight. Days that belong together are one. */
const MORE_FILTERS = [["source"], ["kind"], ["type"], ["days", "start", "end"]] as const;

export function countMore(search: Partial<Filters>): number {
  return MORE_FILTERS.filter((filters) => filters.some((filter) => search[filter] !== undefined)).length;
}

/** A change that clears them. */
export function noMoreFilters(): Partial<Filters> {
  return Object.fromEntries(MORE_FILTERS.flat().map((filter) => [filter, undefined]));
}

/** A change that clears every filter. */
export function noFilters(): Partial<Filters> {
  const filters = [...Object.keys(shared), "kind", "state", "proposed", "status"];
  return Object.fromEntries(filters.map((filter) => [filter, undefined]));
}

/** Whether anything narrows the list: then an empty one means "nothing matches". */
export function isNarrowed(search: Partial<Filters>): boolean {
  return Object.keys(noFilters()).some((filter) => search[filter as keyof Filters] !== undefined);
}
