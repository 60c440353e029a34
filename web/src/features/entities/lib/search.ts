/** What the addresses of the records pages may say; a value that cannot be used counts as not given. */
import * as v from "valibot";

export const RECORD_SORTS = [
  { value: "-created", label: "Newest first" },
  { value: "created", label: "Oldest first" },
  { value: "-updated", label: "Last changed first" },
  { value: "updated", label: "Longest unchanged first" },
  { value: "title", label: "Title, A to Z" },
  { value: "-title", label: "Title, Z to A" },
  { value: "-score", label: "Score, highest first" },
  { value: "score", label: "Score, lowest first" },
] as const;
export type RecordSort = (typeof RECORD_SORTS)[number]["value"];
export const DEFAULT_SORT: RecordSort = "-created";
/** Before the name of a field that the list is sorted by. */
export const FIELD_PREFIX = "content.";
export const MAX_COLUMNS = 20; // fields as columns: the server keeps no more

export const RECORD_TABS = ["record", "responses", "sessions"] as const;
export type RecordTab = (typeof RECORD_TABS)[number];
export const RESPONSE_STATUSES = ["submitted", "partially_promoted", "promoted", "superseded", "rejected"] as const;

/** How many numbers become one. */
export const STRATEGIES = ["mean", "median", "min", "max"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** No slug begins with an underscore. */
export const ALL_FIELDS = "_all";

export const MAX_QUERY = 500; // the server's limit

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

/** The router reads `?q=2026` as a number; a search is text. */
const text = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
  v.minLength(1),
  v.maxLength(MAX_QUERY),
);
const uuid = v.pipe(v.string(), v.uuid());

/** Present or not. */
export const flag = lenient(v.pipe(v.picklist([1, "1"]), v.transform((): 1 => 1)));

export const recordsSearch = v.object({
  type: lenient(text),
  q: lenient(text),
  min_score: lenient(v.pipe(v.number(), v.minValue(1), v.maxValue(100))),
  /** Only records to which a response waits for review. */
  waits: lenient(v.literal(true)),
  sort: lenient(
    v.union([v.picklist(RECORD_SORTS.map(({ value }) => value)), v.pipe(v.string(), v.regex(/^-?content\../), v.maxLength(220))]),
  ),
  /** Fields of the type that are columns, in order; those that were chosen last when absent. */
  cols: lenient(v.pipe(v.array(text), v.maxLength(MAX_COLUMNS))),
  /** The saved list that this was opened from; what it holds stands beside it. */
  list: lenient(uuid),
  /** The session that fills in records of the list, whose progress is shown. */
  populating: lenient(uuid),
  /** Whether the form for a new record is open. */
  new: flag,
});
export type RecordsSearch = v.InferOutput<typeof recordsSearch>;

export const recordSearch = v.object({
  tab: lenient(v.picklist(RECORD_TABS)),
  /** Of the responses that are listed. */
  status: lenient(v.picklist(RESPONSE_STATUSES)),
  /** The response to show first. */
  response: lenient(uuid),
  /** The view that the record is seen through: its slug, or `ALL_FIELDS`. */
  view: lenient(text),
  /** The field whose history is open. */
  history: lenient(text),
  /** The picture of ratings of connections: axes and size by key of a dimension, how many numbers become one,
   * whether single responses are drawn, and the order of the table. */
  x: lenient(text),
  y: lenient(text),
  z: lenient(text),
  agg: lenient(v.picklist(STRATEGIES)),
  overlay: lenient(v.pipe(v.picklist([1, "1"]), v.transform((): 1 => 1))),
  sort: lenient(text),
  dir: lenient(v.picklist(["asc", "desc"])),
  /** The criteria set whose picture that is, where a page may show several. */
  set: lenient(uuid),
  /** The criteria set, by slug, whose outcomes are shown. */
  outcomes: lenient(text),
});
export type RecordSearch = v.InferOutput<typeof recordSearch>;

/** Whether anything narrows the list: then an empty one means "nothing matches". */
export function isNarrowed(search: RecordsSearch): boolean {
  return search.type !== undefined || search.q !== undefined || search.min_score !== undefined || search.waits === true;
}

/** The sort of an address where it can be had: by a field only within its type. */
export function knownSort(sort: string | undefined, fields: readonly { key: string }[]): string {
  const field = sort?.replace(/^-/, "");
  if (!sort || !field?.startsWith(FIELD_PREFIX)) return sort ?? DEFAULT_SORT;
  return fields.some(({ key }) => FIELD_PREFIX + key === field) ? sort : DEFAULT_SORT;
}

/** A type that was deleted, or never was, filters by nothing. */
export function knownType(type: string | undefined, types: readonly { slug: string }[]): string | undefined {
  return types.some(({ slug }) => slug === type) ? type : undefined;
}
