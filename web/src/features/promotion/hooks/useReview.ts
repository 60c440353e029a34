import { useState } from "react";
import type { EntityResponse, PromotionPreview } from "@/api/types";
import { useProvenance } from "@/features/entities/hooks/useProvenance";
import { partyName } from "@/features/entities/lib/provenance";
import { useReviewActions } from "@/features/responses/hooks/useResponses";
import { useCan, useTenant } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import type { Position } from "@/ui/listKeys";
import { notifyDone, notifyProblem, notifyUndoable } from "@/ui/notify";
import { useListKeys } from "@/ui/useListKeys";
import { shownDimensions } from "../lib/groups";
import { REVIEW_ACTS, type ReviewAct } from "../lib/reviewKeys";
import { canReject, canWithdraw, promotableKeys, promotionOf, whyNotPromotable } from "../lib/status";
import { type Target, useUndoPromoted } from "./usePromotion";

interface ReviewOptions {
  entityId: string;
  responses: readonly EntityResponse[];
  /** Where to begin: the response that a link names. */
  start: string | undefined;
  /** The keys work wherever the focus is on the page, and not only in the list. */
  wholePage: boolean;
}

/** Everything a reviewer can do with a list of responses, by mouse and by key. */
export function useReview({ entityId, responses, start, wholePage }: ReviewOptions) {
  const can = useCan();
  const { userId } = useTenant();
  const actions = useReviewActions(entityId);
  const undo = useUndoPromoted();
  const [promoting, setPromoting] = useState<Target | null>(null);
  const [rejecting, setRejecting] = useState<EntityResponse | null>(null);
  const [said, say] = useState("");
  const { data: sources } = useProvenance(entityId);
  const canPromote = can("entities.team.update");
  const canReview = can("responses.team.review");

  const find = (id: string) => responses.find((response) => response.id === id);
  const promote = (response: EntityResponse, fields: readonly string[]) =>
    setPromoting({ entityId, responseId: response.id, fields });

  const onAct = (act: ReviewAct, at: Position) => {
    const response = find(at.id);
    if (!response) return;
    if (act === "reject") {
      if (!canReview) return say("Reviewers and admins can reject responses.");
      if (!canReject(response)) return say("Only a submitted response can be rejected.");
      return setRejecting(response);
    }
    if (!canPromote) return say("Reviewers and admins can promote values.");
    if (act === "promoteAll") {
      const keys = promotableKeys(response);
      return keys.length > 0 ? promote(response, keys) : say("There is nothing left to promote here.");
    }
    const dimension = response.criteria_snapshot.find((each) => each.key === at.key);
    if (!dimension) return say("There is nothing to promote here.");
    const why = whyNotPromotable(response, dimension.key);
    if (why) return say(why);
    if (promotionOf(response, dimension, sources) === "current") return say("This is the value in the record.");
    promote(response, [dimension.key]);
  };

  const onMove = ({ id }: Position) => {
    const place = responses.findIndex((response) => response.id === id) + 1;
    const response = find(id);
    if (response) say(`Response ${place} of ${responses.length}, by ${partyName(response.submitted_by)}`);
  };

  const stops = responses.map((response) => ({
    id: response.id,
    keys: shownDimensions(response).map(({ key }) => key),
  }));
  const keys = useListKeys<HTMLDivElement, ReviewAct>({
    stops,
    acts: REVIEW_ACTS,
    start,
    mayWorkAnywhere: wholePage,
    onAct,
    onMove,
  });

  const done = (message: string) => {
    say(message);
    notifyDone(message);
  };
  const reopen = (response: EntityResponse) =>
    actions.reopen.mutate(response.id, {
      onSuccess: () => done("The response is open again."),
      onError: (error) => notifyProblem("The response was not reopened", error),
    });
  const withdraw = (response: EntityResponse) =>
    confirmDanger({
      title: "Withdraw this response?",
      children: "It leaves all lists, scores and averages. It stays in the history, but cannot be brought back here.",
      action: "Withdraw",
      onConfirm: () =>
        actions.withdraw.mutate(response.id, {
          onSuccess: () => done("The response was withdrawn."),
          onError: (error) => notifyProblem("The response was not withdrawn", error),
        }),
    });

  return {
    ...keys,
    sources,
    canPromote,
    canReview,
    mayWithdraw: (response: EntityResponse) =>
      canWithdraw(response) &&
      can("responses.team.create") &&
      (canReview || (response.submitted_by.kind === "user" && response.submitted_by.id === userId)),
    promote,
    promoting,
    endPromoting: () => setPromoting(null),
    promoted: ({ fields, version }: PromotionPreview) => {
      setPromoting(null);
      const message = fields.length === 1 ? "The value was promoted." : `${fields.length} values were promoted.`;
      say(message);
      notifyUndoable(message, () =>
        void undo.mutateAsync({ entityId, fields: fields.map(({ field }) => field), version }).then(
          () => done("The promotion was undone."),
          (error: unknown) => notifyProblem("The promotion was not undone", error),
        ),
      );
    },
    reject: setRejecting,
    rejecting,
    endRejecting: () => setRejecting(null),
    rejected: () => {
      setRejecting(null);
      done("The response was rejected.");
    },
    reopen,
    withdraw,
    said,
  };
}

export type Reviewing = ReturnType<typeof useReview>;
