import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { toProblem } from "@/api/problem";
import type { Entity, EntityEdit, NewEntity } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { DEFAULT_SORT, type RecordsSearch } from "../lib/search";

const BATCH = 200; // as many as the server lists or deletes at once
const SUGGESTED = 20; // as many as one reads in a list of suggestions

function toFilter({ type, q, min_score, waits }: RecordsSearch) {
  return {
    ...(type ? { type } : {}),
    ...(q ? { q } : {}),
    ...(min_score ? { min_score } : {}),
    ...(waits ? { waits } : {}),
  };
}

export function useEntities({ sort = DEFAULT_SORT, ...search }: RecordsSearch) {
  const { slug, api } = useTenant();
  const wanted = { ...toFilter(search), sort };
  return usePagedList<Entity>(["entities", slug, "list", wanted], (query) =>
    unwrap(api.GET("/api/entities", { params: { query: { ...query, ...wanted } } })),
  );
}

/** How many records the list has, as far as the server counts. */
export function useEntityCount(search: RecordsSearch) {
  const { slug, api } = useTenant();
  const wanted = toFilter(search);
  return useQuery({
    queryKey: ["entities", slug, "list", "count", wanted],
    queryFn: () => unwrap(api.GET("/api/entities/count", { params: { query: wanted } })),
    placeholderData: keepPreviousData,
  });
}

/** The table for spreadsheets of what is listed, all of it. */
export function useEntitiesCsv({ sort = DEFAULT_SORT, ...search }: RecordsSearch, columns: readonly string[]) {
  const { api } = useTenant();
  const query = { ...toFilter(search), sort, ...(columns.length > 0 ? { columns: [...columns] } : {}) };
  return () => unwrap(api.GET("/api/entities/records.csv", { params: { query }, parseAs: "text" }));
}

/** The ids of all that is listed, page after page; whoever asks knows that there are not too many. */
export function useEntityIds(search: RecordsSearch) {
  const { api } = useTenant();
  return async () => {
    const ids: string[] = [];
    let cursor: string | null | undefined = "";
    while (cursor !== null && cursor !== undefined) {
      const query = { ...toFilter(search), limit: BATCH, ...(cursor ? { cursor } : {}) };
      const page: { data: Entity[]; next_cursor?: string | null } = await unwrap(api.GET("/api/entities", { params: { query } }));
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return ids;
  };
}

/** A handful of records, of a type or of any, that have the words that were typed. */
export function useEntitySuggestions(type: string | undefined, q: string, enabled: boolean) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "suggestions", type ?? null, q],
    queryFn: () =>
      unwrap(
        api.GET("/api/entities", {
          params: { query: { ...(type ? { type } : {}), sort: "title", limit: SUGGESTED, ...(q ? { q } : {}) } },
        }),
      ),
    placeholderData: keepPreviousData,
    enabled,
  });
}

function useEntityQuery() {
  const { slug, api } = useTenant();
  return (id: string) => ({
    queryKey: ["entities", slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/entities/{entity_id}", { params: { path: { entity_id: id } } })),
  });
}

export function useEntity(id: string, enabled = true) {
  return useQuery({ ...useEntityQuery()(id), enabled });
}

/** The titles of a few records: null for one that is gone, none for one that is not known yet. */
export function useEntityTitles(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const found = useQueries({ queries: ids.map(useEntityQuery()) });
  return new Map(
    found.flatMap(({ data, error }, place) => {
      const title = data?.title ?? (error && toProblem(error).status === 404 ? null : undefined);
      return title === undefined ? [] : [[ids[place] ?? "", title] as const];
    }),
  );
}

export function useEntityActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["entities", slug] });
  const keep = (entity: Entity) => {
    queryClient.setQueryData(["entities", slug, "one", { about: entity.id }], entity);
    return refresh();
  };
  const create = useMutation({
    mutationKey: ["entities", slug],
    mutationFn: (body: NewEntity) => unwrap(api.POST("/api/entities", { body })),
    onSuccess: keep,
  });
  const edit = useMutation({
    mutationKey: ["entities", slug],
    mutationFn: ({ id, ...body }: EntityEdit & { id: string }) =>
      unwrap(api.PATCH("/api/entities/{entity_id}", { params: { path: { entity_id: id } }, body })),
    onSuccess: keep,
  });
  const remove = useMutation({
    mutationKey: ["entities", slug],
    mutationFn: (id: string) =>
      unwrap(api.DELETE("/api/entities/{entity_id}", { params: { path: { entity_id: id } } })),
    // The page of the record is left before its answers are asked for again.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["entities", slug, "list"] }),
  });
  /** Batch after batch; how many were there. */
  const removeMany = useMutation({
    mutationKey: ["entities", slug],
    mutationFn: async (ids: readonly string[]) => {
      let removed = 0;
      for (let place = 0; place < ids.length; place += BATCH) {
        const body = { ids: ids.slice(place, place + BATCH) };
        removed += (await unwrap(api.POST("/api/entities/delete", { body }))).removed;
      }
      return removed;
    },
    onSettled: refresh,
  });
  /** As it is on the server now, whatever is cached. */
  const reload = async (id: string): Promise<Entity> => {
    const entity = await unwrap(api.GET("/api/entities/{entity_id}", { params: { path: { entity_id: id } } }));
    queryClient.setQueryData(["entities", slug, "one", { about: id }], entity);
    return entity;
  };
  return { create, edit, remove, removeMany, reload };
}
