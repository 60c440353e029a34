import { toProblem } from "@/api/problem";
import type { EntityResponse } from "@/api/types";
import { useResponse } from "@/features/responses/hooks/useResponses";

interface Linked {
  response: EntityResponse | undefined;
  /** The server knows no such response. */
  isGone: boolean;
}

/** The response that a link names, when the list does not have it: older than what is loaded, filtered out, withdrawn. */
export function useLinkedResponse(
  entityId: string,
  id: string | undefined,
  rows: readonly EntityResponse[] | undefined,
  onlySet: string | undefined,
): Linked {
  const absent = id !== undefined && rows !== undefined && !rows.some((response) => response.id === id);
  const { data, error } = useResponse(entityId, absent ? id : undefined);
  const fits = absent && data && (onlySet === undefined || data.criteria_set_id === onlySet);
  return {
    response: fits ? data : undefined,
    isGone: absent && error !== null && toProblem(error).status === 404,
  };
}
