import { useCallback, useEffect, useRef, useState } from "react";
import type { CriteriaSet } from "@/api/types";
import { useSession } from "@/features/tenants/hooks/useSession";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { EMPTY_MATRIX, type MatrixDraft } from "../lib/edgeMatrix";
import { type DraftPlace, dropDraft, keepDraft, readDraft } from "../lib/matrixDraft";

const PAUSE_MS = 300; // after the last key, before it is written down

export function useDraftPlace(entityId: string): (set: Pick<CriteriaSet, "id" | "version">) => DraftPlace {
  const { slug: tenant } = useTenant();
  const user = useSession().user.id;
  return (set) => ({ tenant, user, entityId, setId: set.id, setVersion: set.version });
}

/** Keeps a matrix in the browser while it is filled in: a reload or a closed window loses nothing. */
export function useMatrixDraft(place: DraftPlace) {
  const [found] = useState(() => readDraft(place));
  const [restoredAt, setRestoredAt] = useState(found?.keptAt ?? null);
  const [isKept, setKept] = useState(true);
  const [draft, setDraft] = useState<MatrixDraft>(found ?? EMPTY_MATRIX);
  const pending = useRef<MatrixDraft | null>(null);
  const at = useRef(place);

  const flush = useCallback(() => {
    if (pending.current) setKept(keepDraft(at.current, pending.current, new Date()));
    pending.current = null;
  }, []);

  // What was read from the browser need not be written there again.
  const last = useRef(draft);
  useEffect(() => {
    if (draft === last.current) return;
    last.current = draft;
    pending.current = draft;
    const timer = setTimeout(flush, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, flush]);

  useEffect(() => {
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [flush]);

  const forget = useCallback(() => {
    pending.current = null;
    last.current = EMPTY_MATRIX;
    dropDraft(at.current);
    setRestoredAt(null);
    setDraft(EMPTY_MATRIX);
  }, []);

  return { draft, change: setDraft, forget, restoredAt, isKept };
}
