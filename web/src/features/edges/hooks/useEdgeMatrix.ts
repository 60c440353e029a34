import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { toProblem } from "@/api/problem";
import type { CriteriaSet, EntityResponse } from "@/api/types";
import { ARRIVED_BEFORE, type Refusal, refusalOf } from "@/features/responses/hooks/useResponseForm";
import { useSubmitResponse } from "@/features/responses/hooks/useSubmitResponse";
import { isNothingWritten } from "@/features/responses/lib/submission";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import {
  type Connection,
  checkMatrix,
  describeFaults,
  placeFaults,
  setCell,
  toMatrixSubmission,
  withoutFaultsOf,
} from "../lib/edgeMatrix";
import { useMatrixDraft } from "./useMatrixDraft";

interface EdgeMatrix {
  entityId: string;
  criteriaSet: CriteriaSet;
  connections: readonly Connection[];
  onSubmitted: (response: EntityResponse) => void;
}

/** A matrix while it is filled in: kept in the browser, checked, submitted. */
export function useEdgeMatrix({ entityId, criteriaSet, connections, onSubmitted }: EdgeMatrix) {
  const kept = useMatrixDraft(entityId, criteriaSet);
  const { draft, change, forget } = kept;
  const [attempts, setAttempts] = useState(0);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [nothingWritten, setNothingWritten] = useState(false);
  const submission = useSubmitResponse(entityId);
  const form = useRef<HTMLFormElement>(null);

  const own = useMemo(
    () => (attempts > 0 ? checkMatrix(draft, criteriaSet, connections) : []),
    [attempts, draft, criteriaSet, connections],
  );
  const faults = useMemo(() => [...own, ...(refusal?.errors ?? [])], [own, refusal]);
  const { rows, rest } = useMemo(
    () => placeFaults(faults, connections, criteriaSet.dimensions),
    [faults, connections, criteriaSet],
  );
  const firstFault = connections.findIndex(({ id }) => rows.has(id));

  useEffect(() => {
    if (attempts > 0) focusFirstInvalid(form.current);
  }, [attempts]);

  const setValue = useCallback(
    (connection: string, key: string, value: unknown) => {
      change((before) => ({ ...before, values: setCell(before.values, connection, key, value) }));
      setNothingWritten(false);
      setRefusal((before) => before && without(before, connection, key));
    },
    [change],
  );

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setRefusal(null);
    setNothingWritten(false);
    if (checkMatrix(draft, criteriaSet, connections).length === 0) {
      try {
        const answer = await submission.mutateAsync({
          id: kept.id,
          ...toMatrixSubmission(draft, criteriaSet, connections),
        });
        if (isNothingWritten(answer)) return setNothingWritten(true);
        forget();
        return onSubmitted(answer);
      } catch (error) {
        setRefusal(refusalOf(error));
        if (toProblem(error).code === ARRIVED_BEFORE) kept.renewId();
      }
    }
    setAttempts((before) => before + 1);
  };

  return {
    ...kept,
    form,
    faults,
    rows,
    /** The place of the first row with something to put right; -1 when there is none. */
    firstFault,
    /** How often it was tried in vain. */
    attempts,
    head: refusal && refusal.errors.length === 0 ? refusal.message : describeFaults(rows, rest),
    nothingWritten,
    isPending: submission.isPending,
    setValue,
    setNotes: (notes: string) => change((before) => ({ ...before, notes })),
    setTemporalValue: (temporalValue: string) => change((before) => ({ ...before, temporalValue })),
    discard: () => {
      forget();
      setRefusal(null);
      setAttempts(0);
    },
    submit,
  };
}

function without(refusal: Refusal, connection: string, key: string): Refusal | null {
  if (refusal.errors.length === 0) return refusal;
  const errors = withoutFaultsOf(refusal.errors, connection, key);
  return errors.length > 0 ? { message: refusal.message, errors } : null;
}
