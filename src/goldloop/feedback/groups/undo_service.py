"""Use cases: take back what was decided about a group. Everything is as it was before, but for what others decided since."""

from uuid import UUID

import msgspec

from goldloop.feedback.entries import review_service as reviews
from goldloop.feedback.groups import decision_store, derived_service, events, place_store, service, store
from goldloop.feedback.groups.decision_service import about, access_row, decide, decided_before
from goldloop.feedback.groups.decision_store import Taken
from goldloop.feedback.groups.store import GroupRow
from goldloop.feedback.model import DecisionNotFound, DecisionOvertaken, FeedbackGroup, GroupState
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.db import Tx
from goldloop.kit.events import emit

OF_THE_GROUP = (
    "dismiss",
    "snooze",
    "merge",
)  # these say how the group is; the others are about members alone


async def undo(tx: Tx, decision_id: UUID) -> FeedbackGroup:
    """Take a decision back: members are where they were, what it reviewed waits again, and it is no label of the threshold.
    What others have decided since stays; where that is all of it, there is nothing to take back."""
    tx.actor.check(FEEDBACK_REVIEW)
    threshold = await decision_store.lock(tx)
    taken = await decision_store.find_decision(tx, decision_id)
    if taken is None or taken.kind == "reopen":
        raise DecisionNotFound
    found = await access_row(tx, taken.group_id)
    is_last = taken.kind not in OF_THE_GROUP or found.decision_id == decision_id
    if taken.is_taken_back or not is_last:
        raise _overtaken(decision_id, taken)
    touched = await _take_back(tx, decision_id, taken, found)
    await decide(tx, found, "reopen", takes_back=decision_id)
    for each in sorted(touched | {taken.group_id}):
        await derived_service.refresh(tx, each, threshold)
    others = sorted(touched - {taken.group_id})
    payload = events.GroupReopened(**msgspec.structs.asdict(about(found)), other_ids=others)
    await emit(tx, events.REOPENED.of(taken.group_id, payload))
    return await service.access(tx, taken.group_id)


async def reopen(tx: Tx, group_id: UUID) -> FeedbackGroup:
    """Take back that it was dismissed, snoozed or merged."""
    await decision_store.lock(tx)
    found = await access_row(tx, group_id)
    if found.group.state is GroupState.OPEN or found.decision_id is None:
        raise decided_before(found.group)
    return await undo(tx, found.decision_id)


async def _take_back(tx: Tx, decision_id: UUID, taken: Taken, found: GroupRow) -> set[UUID]:
    """The groups whose members have changed."""
    now_in = await _put_into(tx, taken)
    if taken.kind in OF_THE_GROUP:
        await store.set_as_before(tx, found.group.id, decision_id)
    waiting = await reviews.reopen_decided(tx, decision_id)
    moved, touched = 0, {now_in} if now_in else set()
    apart = taken.group_id if taken.kind == "split" else None
    for before in await decision_store.list_groups_before(tx, decision_id):
        if taken.kind == "merge" and before != taken.group_id:
            continue  # what was near it
        into = await store.find_standing(tx, before) if before else None
        moved += await place_store.move_back(tx, decision_id, now_in, before, into, apart)
        touched |= {into} if into else set()
    if taken.kind == "merge" and now_in:
        await place_store.move_near_back(tx, decision_id, now_in, taken.group_id)
    if taken.kind not in OF_THE_GROUP and not moved and not waiting:
        raise _overtaken(decision_id, taken)
    return touched


async def _put_into(tx: Tx, taken: Taken) -> UUID | None:
    """Where members were put, or the group that this is part of now."""
    put = {"merge": taken.other_id, "split": taken.other_id, "add": taken.group_id}.get(taken.kind)
    return await store.find_standing(tx, put) if put else None


def _overtaken(decision_id: UUID, taken: Taken) -> DecisionOvertaken:
    return DecisionOvertaken(
        conflict={"id": str(decision_id), "kind": taken.kind, "is_taken_back": taken.is_taken_back}
    )
