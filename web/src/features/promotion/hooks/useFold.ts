import { useRef, useState } from "react";
import type { EntityResponse } from "@/api/types";
import { type ResponseGroup, foldClosed } from "../lib/groups";
import { isOpen } from "../lib/status";

interface FoldOptions {
  /** Nothing is folded: somebody asked for a status. */
  off: boolean;
  /** The response that a link names is always shown. */
  linked: string | undefined;
}

/** Closed responses are folded away, by criteria set. What was open when it was first seen here stays in sight, so that
 * nothing vanishes under the hands of whoever decides about it. */
export function useFold(groups: readonly ResponseGroup[], { off, linked }: FoldOptions) {
  const seenOpen = useRef(new Set<string>());
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  for (const { id } of groups.flatMap(({ rows }) => rows).filter(isOpen)) seenOpen.current.add(id);
  const isShown = ({ id, criteria_set_id }: EntityResponse) =>
    off || unfolded.has(criteria_set_id) || id === linked || seenOpen.current.has(id);
  const toggle = (criteriaSetId: string) => {
    const next = new Set(unfolded);
    if (!next.delete(criteriaSetId)) next.add(criteriaSetId);
    setUnfolded(next);
  };
  return { groups: foldClosed(groups, isShown), unfolded, toggle };
}
