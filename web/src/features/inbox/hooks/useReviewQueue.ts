import { useEffect, useRef, useState } from "react";
import type { EntityResponse, ListedResponse } from "@/api/types";
import { useEntity } from "@/features/entities/hooks/useEntities";
import { partyName } from "@/features/entities/lib/provenance";
import { type Decision, useDecisions } from "@/features/promotion/hooks/useDecisions";
import { usePromote } from "@/features/promotion/hooks/usePromotion";
import { promotableKeys } from "@/features/promotion/lib/status";
import { useResponse } from "@/features/responses/hooks/useResponses";
import { useCan, useTenant } from "@/features/tenants/hooks/useWorkspace";
import type { Position } from "@/ui/listKeys";
import { notifyProblem } from "@/ui/notify";
import { useListKeys } from "@/ui/useListKeys";
import { type Situation, nextOpen, outcomeText, whyNot } from "../lib/queue";
import { QUEUE_ACTS, type QueueAct } from "../lib/queueKeys";
import { useAssign } from "./useWaiting";

const AHEAD = 10; // rows before the end at which the next page is asked for

interface QueueOptions {
  rows: readonly ListedResponse[];
  /** The response that the address names. */
  named: string | undefined;
  loadMore: () => void;
  onGo: (id: string) => void;
}

/** What was asked for while the record was being read: it is done when the record is there, if it still is the one at hand. */
interface HeldAct {
  name: QueueAct;
  key: string | null;
  response: string;
}

/** Everything a reviewer can do with the proposal at hand, by key and by touch alike. */
export function useReviewQueue({ rows, named, loadMore, onGo }: QueueOptions) {
  const can = useCan();
  const { userId } = useTenant();
  const row = rows.find(({ id }) => id === named) ?? rows[0];
  const fresh = useResponse(row?.entity_id ?? "", row?.id).data;
  const response: EntityResponse | undefined = fresh ?? row;
  const { data: entity, isFetching } = useEntity(row?.entity_id ?? "", row !== undefined);
  const promote = usePromote();
  const assign = useAssign();
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [rejecting, setRejecting] = useState<EntityResponse | null>(null);
  const [said, say] = useState("");
  const held = useRef<HeldAct | null>(null);
  const decisions = useDecisions((decision) => {
    say("Undone: it waits again.");
    onGo(decision.response.id);
  });
  const place = row ? rows.indexOf(row) : -1;
  const waiting = response ? promotableKeys(response) : [];
  const nameOf = (key: string) => `${row?.id ?? ""}/${key}`;
  const ticked = waiting.filter((key) => !leftOut.has(nameOf(key)));
  const isDone = (id: string) => decisions.made.some((decision) => decision.response.id === id);

  useEffect(() => {
    if (place >= rows.length - AHEAD) loadMore();
  });

  const situation = (key: string | null): Situation | null =>
    response
      ? {
          response,
          canPromote: can("entities.team.update"),
          canReview: can("responses.team.review"),
          isLoaded: entity !== undefined && !isFetching,
          isBusy: promote.isPending || decisions.isBusy,
          ticked: ticked.length,
          value: key,
          isLast: place === rows.length - 1,
          hasDecided: decisions.made.length > 0,
        }
      : null;

  const goOn = (from: string) => {
    const next = nextOpen(rows.map(({ id }) => id), from, (id) => id === from || isDone(id));
    if (next) onGo(next);
  };
  const decided = (decision: Decision, message: string) => {
    decisions.add(decision, message);
    say(message);
    goOn(decision.response.id);
  };
  const promoteValues = (keys: readonly string[]) => {
    if (!response || !entity) return;
    promote.mutate(
      { entityId: entity.id, responseId: response.id, fields: keys, version: entity.version },
      {
        onSuccess: () =>
          decided({ response, promoted: keys }, keys.length === 1 ? "1 value was promoted." : `${keys.length} values were promoted.`),
        onError: (error) => notifyProblem("Nothing was promoted", error),
      },
    );
  };
  const assignTo = (user_id: string | null) => {
    if (!response) return;
    assign.mutate(
      { ids: [response.id], user_id },
      {
        onSuccess: ({ assigned_to }) => say(assigned_to ? `Assigned to ${partyName(assigned_to)}.` : "Assigned to nobody."),
        onError: (error) => notifyProblem("This was not assigned", error),
      },
    );
  };
  const toggle = (key: string) => {
    const next = new Set(leftOut);
    if (!next.delete(nameOf(key))) next.add(nameOf(key));
    setLeftOut(next);
  };

  const act = (name: QueueAct, key: string | null) => {
    const at = situation(key);
    if (!at || !response) return;
    const why = whyNot(name, at);
    held.current = why && !whyNot(name, { ...at, isLoaded: true }) ? { name, key, response: response.id } : null;
    if (why) return say(why);
    say("");
    if (name === "promote") promoteValues(ticked);
    else if (name === "promoteAll") promoteValues(waiting);
    else if (name === "leaveOut" && key !== null) toggle(key);
    else if (name === "reject") setRejecting(response);
    else if (name === "skip") onGo(rows[place + 1]?.id ?? response.id);
    else if (name === "undo" && decisions.last) decisions.undo(decisions.last);
    else if (name === "assign") assignTo(response.assigned_to?.id === userId ? null : userId);
  };

  useEffect(() => {
    const waits = held.current;
    if (!waits || !situation(waits.key)?.isLoaded) return;
    held.current = null;
    if (waits.response === response?.id) act(waits.name, waits.key);
  });

  const keys = useListKeys<HTMLDivElement, QueueAct>({
    stops: rows.map((each) => ({ id: each.id, keys: each === row ? waiting : promotableKeys(each) })),
    acts: QUEUE_ACTS,
    start: row?.id === named ? named : undefined,
    mayWorkAnywhere: true,
    isEntered: true,
    onAct: (name, { key }) => act(name, key),
    onMove: ({ id }: Position) => {
      if (id !== row?.id) say("");
      onGo(id);
    },
  });

  return {
    keys,
    row,
    response,
    entity,
    place,
    waiting,
    ticked,
    toggle,
    act,
    assignTo,
    whyNot: (name: QueueAct) => {
      const at = situation(waiting[0] ?? null);
      return at ? whyNot(name, at) : null;
    },
    /** What has become of the one at hand, and whether by this person just now. */
    outcome: response ? outcomeText(response) : null,
    isOwn: row ? isDone(row.id) : false,
    /** Of those that are shown: what came since has not been seen yet. */
    decidedCount: rows.filter(({ id }) => isDone(id)).length,
    rejecting,
    endRejecting: () => setRejecting(null),
    rejected: (rejected: EntityResponse) => {
      setRejecting(null);
      decided({ response: rejected, promoted: null }, "The proposal was rejected.");
    },
    said,
  };
}

export type ReviewQueueState = ReturnType<typeof useReviewQueue>;
