import { type FormEvent, useEffect, useRef, useState } from "react";
import { faultsElsewhere, pointer } from "@/api/faults";
import { newId } from "@/api/ids";
import { type Problem, toProblem } from "@/api/problem";
import type { CriteriaSet, EntityResponse } from "@/api/types";
import { dropDraft, keepDraft, readDraft } from "@/ui/drafts";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import { type KeptDraft, isBlank, parseKept } from "../lib/keptDraft";
import {
  EMPTY_DRAFT,
  type ResponseDraft,
  checkSubmission,
  headMessage,
  isNothingWritten,
  toSubmission,
} from "../lib/submission";
import { useAskedFields } from "./useAskedFields";
import { useDraftName } from "./useDraftName";
import { useSubmitResponse } from "./useSubmitResponse";

export const ARRIVED_BEFORE = "response_exists";

export type Refusal = Pick<Problem, "message" | "errors">;

/** Keeps a response while it is written. Nothing that was typed is lost by a failed submit or by leaving. */
export function useResponseForm(entityId: string, set: CriteriaSet, onSubmitted: (response: EntityResponse) => void) {
  const name = useDraftName()("response", entityId, set.id);
  const [kept, setKept] = useState(() => parseKept(readDraft(name), set.dimensions));
  const [draft, setDraft] = useState<ResponseDraft>(kept?.draft ?? EMPTY_DRAFT);
  const [id, setId] = useState(() => kept?.id ?? newId());
  const [attempts, setAttempts] = useState(0);
  const [problem, setProblem] = useState<Refusal | null>(null);
  const submission = useSubmitResponse(entityId);
  const form = useRef<HTMLFormElement>(null);
  const fields = useAskedFields(entityId, set.dimensions);

  // Faults are said after the first attempt, and from then on while typing.
  const own = attempts > 0 ? checkSubmission(draft, set, fields) : [];
  const faults = [...own, ...(problem?.errors ?? [])];
  const head = problem && problem.errors.length === 0 ? problem.message : headMessage(faults, set);

  useEffect(() => {
    if (attempts > 0) focusFirstInvalid(form.current);
  }, [attempts]);

  // Closing the form, by whatever key, is no decision to throw away what is in it.
  const isDirty = !isBlank(draft);
  const isSent = useRef(false);
  useEffect(() => {
    if (isDirty && !isSent.current) keepDraft(name, { id, draft } satisfies KeptDraft);
    else dropDraft(name);
  }, [name, id, draft, isDirty]);

  const change = (part: Partial<ResponseDraft>, place: string) => {
    setDraft((before) => ({ ...before, ...part }));
    setProblem((before) => before && withoutErrorsAt(before, place));
  };

  return {
    form,
    draft,
    faults,
    head,
    fields,
    /** It holds what was begun earlier. */
    isRestored: kept !== null,
    isDirty,
    startOver: () => {
      setKept(null);
      setDraft(EMPTY_DRAFT);
      setId(newId());
      setAttempts(0);
      setProblem(null);
    },
    isPending: submission.isPending,
    setValue: (key: string, value: unknown) =>
      change({ values: { ...draft.values, [key]: value } }, pointer("values", key)),
    setNotes: (notes: string) => change({ notes }, "/notes"),
    setTemporalValue: (temporalValue: string) => change({ temporalValue }, "/temporal_value"),
    setEvidence: (evidence: ResponseDraft["evidence"]) => change({ evidence }, "/field_meta"),
    submit: async (event: FormEvent) => {
      event.preventDefault();
      event.stopPropagation();
      setProblem(null);
      if (checkSubmission(draft, set, fields).length === 0) {
        try {
          const response = await submission.mutateAsync({ id, ...toSubmission(draft, set) });
          isSent.current = true;
          dropDraft(name);
          // Only a matrix may be empty, and this is none.
          return isNothingWritten(response) ? undefined : onSubmitted(response);
        } catch (error) {
          setProblem(refusalOf(error));
          if (toProblem(error).code === ARRIVED_BEFORE) setId(newId());
        }
      }
      setAttempts((before) => before + 1);
    },
  };
}

/** What was sent first did arrive, only its answer was lost, and it has been changed here since. */
export function refusalOf(error: unknown): Refusal {
  const problem = toProblem(error);
  if (problem.code !== ARRIVED_BEFORE) return problem;
  return {
    message: "Your first attempt has arrived after all, as it was then. Submit again to add this as another response.",
    errors: [],
  };
}

function withoutErrorsAt(refusal: Refusal, place: string): Refusal | null {
  if (refusal.errors.length === 0) return refusal;
  const errors = faultsElsewhere(refusal.errors, [place]);
  return errors.length > 0 ? { message: refusal.message, errors } : null;
}
