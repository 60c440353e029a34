import { type FormEvent, useEffect, useRef, useState } from "react";
import { type Problem, toProblem } from "@/api/problem";
import type { CriteriaSet, EntityResponse } from "@/api/types";
import { faultsElsewhere, pointer } from "@/features/criteria/lib/faults";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import { EMPTY_DRAFT, type ResponseDraft, checkSubmission, headMessage, toSubmission } from "../lib/submission";
import { useSubmitResponse } from "./useSubmitResponse";

type Refusal = Pick<Problem, "message" | "errors">;

/** Keeps a response while it is written. Nothing that was typed is lost by a failed submit. */
export function useResponseForm(entityId: string, set: CriteriaSet, onSubmitted: (response: EntityResponse) => void) {
  const [draft, setDraft] = useState<ResponseDraft>(EMPTY_DRAFT);
  const [attempts, setAttempts] = useState(0);
  const [problem, setProblem] = useState<Refusal | null>(null);
  const submission = useSubmitResponse(entityId);
  const form = useRef<HTMLFormElement>(null);

  // Faults are said after the first attempt, and from then on while typing.
  const own = attempts > 0 ? checkSubmission(draft, set) : [];
  const faults = [...own, ...(problem?.errors ?? [])];
  const head = problem && problem.errors.length === 0 ? problem.message : headMessage(faults, set);

  useEffect(() => {
    if (attempts > 0) focusFirstInvalid(form.current);
  }, [attempts]);

  const change = (part: Partial<ResponseDraft>, place: string) => {
    setDraft((before) => ({ ...before, ...part }));
    setProblem((before) => before && withoutErrorsAt(before, place));
  };

  return {
    form,
    draft,
    faults,
    head,
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
      if (checkSubmission(draft, set).length === 0) {
        try {
          return onSubmitted(await submission.mutateAsync(toSubmission(draft, set)));
        } catch (error) {
          setProblem(toProblem(error));
        }
      }
      setAttempts((before) => before + 1);
    },
  };
}

function withoutErrorsAt(refusal: Refusal, place: string): Refusal | null {
  if (refusal.errors.length === 0) return refusal;
  const errors = faultsElsewhere(refusal.errors, [place]);
  return errors.length > 0 ? { message: refusal.message, errors } : null;
}
