/** What the addresses of knowledge may say; a value that cannot be used counts as not given. */
import * as v from "valibot";
import { flag } from "@/features/entities/lib/search";
import { STATES, TYPES } from "./words";

/** Those that a person should look at: proposed ones, and those with flags. */
export const WAITS = "waits" as const;

const MAX_TEXT = 200; // the server's limit of a search
const MAX_TASK = 4000; // the server's limit of the words of a task

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

/** The router reads `?q=2026` as a number; a search is text. */
const said = (most: number) =>
  v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String), v.trim(), v.minLength(1), v.maxLength(most));
const uuid = v.pipe(v.string(), v.uuid());

export const SCOPES = ["everywhere", "narrow"] as const;

export const knowledgeSearch = v.object({
  type: lenient(v.picklist(TYPES)),
  state: lenient(v.picklist([...STATES, WAITS])),
  scope: lenient(v.picklist(SCOPES)),
  /** Both by id. */
  agent: lenient(uuid),
  of: lenient(uuid),
  q: lenient(said(MAX_TEXT)),
  /** The one that is shown. */
  row: lenient(uuid),
  /** Whether the form for a new one is open. */
  new: flag,
});
export type KnowledgeSearch = v.InferOutput<typeof knowledgeSearch>;

/** Whose prompt is shown: by slugs, and the words of a task. */
export const promptSearch = v.object({
  agent: lenient(said(MAX_TEXT)),
  of: lenient(said(MAX_TEXT)),
  task: lenient(said(MAX_TASK)),
});
export type PromptSearch = v.InferOutput<typeof promptSearch>;

/** What the server is asked for. */
export function knowledgeQuery({ type, state, scope, agent, of, q }: KnowledgeSearch) {
  return {
    ...(type ? { type } : {}),
    ...(state === WAITS ? { waits: true } : state ? { state } : {}),
    ...(scope ? { everywhere: scope === "everywhere" } : {}),
    ...(agent ? { agent_id: agent } : {}),
    ...(of ? { entity_type_id: of } : {}),
    ...(q ? { q } : {}),
  };
}

export function promptQuery({ agent, of, task }: PromptSearch) {
  return { ...(agent ? { agent } : {}), ...(of ? { entity_type: of } : {}), ...(task ? { task } : {}) };
}

const FILTERS = ["state", "scope", "agent", "of", "q"] as const;

/** What goes along from one type to the next: whatever narrows it. */
export function searchOfType(search: KnowledgeSearch, type: KnowledgeSearch["type"]): KnowledgeSearch {
  const along = Object.entries(search).filter(([name, value]) => value !== undefined && FILTERS.some((filter) => filter === name));
  return { ...Object.fromEntries(along), ...(type ? { type } : {}) };
}

/** A change that clears every filter; the type is a tab. */
export function noFilters(): Partial<KnowledgeSearch> {
  return Object.fromEntries(FILTERS.map((filter) => [filter, undefined]));
}

/** Whether anything but the type narrows the list: then an empty one means "nothing matches". */
export function isNarrowed(search: KnowledgeSearch): boolean {
  return FILTERS.some((filter) => search[filter] !== undefined);
}

/** Whether more narrows the list than what is counted: a count would be that of another list. */
export function isCounted({ scope, agent, of, q }: KnowledgeSearch): boolean {
  return scope === undefined && agent === undefined && of === undefined && q === undefined;
}
