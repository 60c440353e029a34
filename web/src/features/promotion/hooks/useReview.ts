import { useState } from "react";
import type { EntityResponse, PromotionPreview } from "@/api/types";
import { useProvenance } from "@/features/entities/hooks/useProvenance";
import { partyName } from "@/features/entities/lib/provenance";
import { useReopen, useReviewActions } from "@/features/responses/hooks/useResponses";
import { useCan, useTenant } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import type { Position } from "@/ui/listKeys";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useListKeys } from "@/ui/useListKeys";
import { shownDimensions } from "../lib/groups";
import { REVIEW_ACTS, type ReviewAct } from "../lib/reviewKeys";
import { canReject, canWithdraw, promotableKeys, promotionOf, whyNotPromotable } from "../lib/status";
import { type Decision, useDecisions } from "./useDecisions";
import type { Target } from "./usePromotion";

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
  const reopening = useReopen();
  const [promoting, setPromoting] = useState<Target | null>(null);
  const [rejecting, setRejecting] = useState<EntityResponse | null>(null);
  const [said, say] = useState("");
  const { data: sources } = useProvenance(entityId);
  const canPromote = can("entities.team.update");
  const canReview = can("responses.team.review");

  const done = (message: string) => {
    say(message);
    notifyDone(message);
  };
  const decisions = useDecisions(({ promoted }) =>
    done(promoted ? "The promotion was undone." : "The response is open again."),
  );
  const decided = (decision: Decision, message: string) => {
    decisions.add(decision, message);
    say(message);
  };
  const undoLast = () => {
    if (decisions.isBusy) return say("One moment: the last decision is being taken back.");
    return decisions.last ? decisions.undo(decisions.last) : say("Nothing was decided here yet.");
  };

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
    always: { u: undoLast },
    start,
    mayWorkAnywhere: wholePage,
    onAct,
    onMove,
  });

  const reopen = (response: EntityResponse) =>
    reopening.mutate(
      { entityId, responseId: response.id },
      {
        onSuccess: () => done("The response is open again."),
        onError: (error) => notifyProblem("The response was not reopened", error),
      },
    );
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
    promoted: ({ response_id, fields }: PromotionPreview) => {
      setPromoting(null);
      const message = fields.length === 1 ? "The value was promoted." : `${fields.length} values were promoted.`;
      const response = find(response_id);
      if (response) decided({ response, promoted: fields.map(({ dimension }) => dimension) }, message);
    },
    reject: setRejecting,
    rejecting,
    endRejecting: () => setRejecting(null),
    rejected: (response: EntityResponse) => {
      setRejecting(null);
      decided({ response, promoted: null }, "The response was rejected.");
    },
    reopen,
    withdraw,
    said,
  };
}

export type Reviewing = ReturnType<typeof useReview>;
