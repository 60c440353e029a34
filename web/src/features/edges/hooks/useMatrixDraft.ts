import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { newId } from "@/api/ids";
import type { CriteriaSet } from "@/api/types";
import { useDraftName } from "@/features/responses/hooks/useDraftName";
import { EMPTY_MATRIX, type MatrixDraft, onlyAsked } from "../lib/edgeMatrix";
import { dropMatrixDraft, keepMatrixDraft, matrixDraftOf, readMatrixDraft } from "../lib/matrixDraft";

const PAUSE_MS = 300; // after the last key, before it is written down

/** Keeps a matrix in the browser while it is filled in: a reload or a closed window loses nothing. */
export function useMatrixDraft(entityId: string, set: CriteriaSet) {
  const name = useDraftName()(...matrixDraftOf(entityId, set));
  const [found] = useState(() => readMatrixDraft(name, set.dimensions));
  const [restoredAt, setRestoredAt] = useState(found?.keptAt ?? null);
  const [isKept, setKept] = useState(true);
  const [id, setId] = useState(() => found?.id ?? newId());
  const [draft, setDraft] = useState<MatrixDraft>(found?.draft ?? EMPTY_MATRIX);
  const pending = useRef<{ id: string; draft: MatrixDraft } | null>(null);
  const last = useRef(draft);

  const flush = useCallback(() => {
    if (pending.current) setKept(keepMatrixDraft(name, { ...pending.current, keptAt: new Date().toISOString() }));
    pending.current = null;
  }, [name]);

  // What was read from the browser need not be written there again.
  useEffect(() => {
    if (draft === last.current) return;
    last.current = draft;
    pending.current = { id, draft };
    const timer = setTimeout(flush, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [id, draft, flush]);

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
    dropMatrixDraft(name);
    setRestoredAt(null);
    setDraft(EMPTY_MATRIX);
    setId(newId());
  }, [name]);

  // The set may change while it is filled in; what comes back when a question does is still there.
  const asked = useMemo(() => onlyAsked(draft, set.dimensions), [draft, set.dimensions]);
  return { id, draft: asked, change: setDraft, forget, restoredAt, isKept, renewId: () => setId(newId()) };
}
