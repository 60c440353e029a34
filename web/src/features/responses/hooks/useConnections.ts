import { useMemo } from "react";
import type { EntityResponse } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useRelations } from "@/features/entities/hooks/useRelations";
import type { Connection } from "../lib/edgeMatrix";
import { useMatrixAggregation } from "./useResponses";

const MOST = 2000; // rows of a form that anybody would fill in

/** All records that a field leads to: a matrix is only known when all of its rows are. */
export function useConnections(entityId: string, fieldKey: string) {
  const list = useRelations(entityId, fieldKey);
  const tooMany = (list.rows?.length ?? 0) >= MOST;
  const { query, rows } = useEveryPage(list, !tooMany);
  const cut = query.hasNextPage && tooMany;
  const isWhole = rows !== undefined && (!query.hasNextPage || cut);
  const pages = query.data?.pages;
  const connections = useMemo(
    (): Connection[] | undefined =>
      isWhole
        ? pages?.flatMap(({ data }) => data.map(({ target_id, target_title }) => ({ id: target_id, title: target_title })))
        : undefined,
    [isWhole, pages],
  );
  return { query, connections, cut };
}

/** The titles of those that were rated: the connected ones, and those that were when they were rated. */
export function useConnectionTitles(response: EntityResponse, fieldKey: string): ReadonlyMap<string, string> {
  const { rows } = useRelations(response.entity_id, fieldKey);
  const { data } = useMatrixAggregation(response.entity_id, response.criteria_set_id);
  return useMemo(() => {
    const rated = (data?.matrix?.connections ?? []).flatMap(({ id, title }) => (title ? [[id, title] as const] : []));
    return new Map([...(rows ?? []).map(({ target_id, target_title }) => [target_id, target_title] as const), ...rated]);
  }, [data, rows]);
}
