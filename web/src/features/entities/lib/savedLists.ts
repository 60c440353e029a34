/** A list of records as it is saved and as its address says it. Pure. */
import type { ListQuery, SavedList } from "@/api/types";
import { DEFAULT_SORT, type RecordsSearch } from "./search";
import { sameValue } from "./values";

/** What is saved of a list; `columns` are those that are shown. */
export function toQuery(search: RecordsSearch, columns: readonly string[]): ListQuery {
  return {
    type: search.type ?? null,
    q: search.q ?? null,
    min_score: search.min_score ?? null,
    waits: search.waits ?? null,
    sort: search.sort && search.sort !== DEFAULT_SORT ? search.sort : null,
    columns: search.type ? [...columns] : [],
  };
}

/** The address of a saved list: whatever it does not say is as it is without it. */
export function toSearch({ id, query }: Pick<SavedList, "id" | "query">): RecordsSearch {
  return {
    type: query.type ?? undefined,
    q: query.q ?? undefined,
    min_score: query.min_score ?? undefined,
    waits: query.waits ? true : undefined,
    sort: query.sort ?? undefined,
    cols: query.type ? (query.columns ?? []) : undefined,
    list: id,
    new: undefined,
  };
}

export function isSame(one: ListQuery, other: ListQuery): boolean {
  return sameValue(one, other);
}

/** Who may rename, share or delete a saved list: its maker, and of shared ones whoever looks after them. */
export function mayChange(saved: SavedList, can: (permission: string) => boolean): boolean {
  if (saved.shared && !can("saved_lists.team.share")) return false;
  return saved.own || can("saved_lists.team.manage");
}
