import { useMemo } from "react";
import type { EntityResponse } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useEntityTitles } from "@/features/entities/hooks/useEntities";
import { useRelations } from "@/features/entities/hooks/useRelations";
import { useMatrixAggregation } from "@/features/responses/hooks/useResponses";
import type { Connection } from "../lib/edgeMatrix";

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

/** The titles of records that a response rates: null for one that is gone, none for one that is not known yet. Those
 * that are neither connected nor in a response that counts are looked up one by one. */
export function useConnectionTitles(
  response: EntityResponse,
  fieldKey: string,
  ids: readonly string[],
): ReadonlyMap<string, string | null> {
  const relations = useRelations(response.entity_id, fieldKey);
  const aggregation = useMatrixAggregation(response.entity_id, response.criteria_set_id);
  const [matrix, pages] = [aggregation.data?.matrix, relations.query.data?.pages];
  const known = useMemo(() => {
    const rated = (matrix?.connections ?? []).map(({ id, title }) => [id, title] as const);
    const connected = (pages ?? []).flatMap(({ data }) => data.map((each) => [each.target_id, each.target_title] as const));
    return new Map<string, string | null>([...rated, ...connected]);
  }, [matrix, pages]);
  const isSettled = !relations.query.isPending && !aggregation.isPending;
  const others = useEntityTitles(isSettled ? ids.filter((id) => !known.has(id)) : []);
  return new Map([...known, ...others]);
}
