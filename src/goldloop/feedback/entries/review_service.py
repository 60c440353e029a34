"""Use cases of feedback that is there: review, reopen, take back and erase."""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

import msgspec

from goldloop.feedback.entries import events, store, twin_store
from goldloop.feedback.entries.service import access
from goldloop.feedback.entries.store import Reviewed
from goldloop.feedback.model import (
    Feedback,
    FeedbackNotFound,
    FeedbackPending,
    FeedbackReviewed,
    FeedbackStatus,
)
from goldloop.feedback.permissions import FEEDBACK_CREATE, FEEDBACK_ERASE, FEEDBACK_REVIEW
from goldloop.kit.db import Tx
from goldloop.kit.errors import Forbidden
from goldloop.kit.events import emit_all
from goldloop.kit.queue import set_marks

TAKEN_BACK = "Taken back by whoever gave it"
MOST_REOPENED = 1000  # rows of one statement


class ReviewOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one of several: `done`, `already` where somebody was first (`feedback` says who and how), or
    `absent`. Where reviews are taken back, `already` is what waits, or what somebody else has reviewed."""

    id: UUID
    outcome: Literal["done", "already", "absent"]
    feedback: Feedback | None


class FeedbackAfterReview(Feedback, frozen=True, kw_only=True):
    """`twin_ids` are the other rows of the same rejection, which were dismissed or wait again with it."""

    twin_ids: list[UUID]


async def review(tx: Tx, feedback_id: UUID, status: FeedbackStatus, notes: str | None) -> FeedbackAfterReview:
    """Only what waits is reviewed, and only what was reviewed waits again: of two at once one is told who was first."""
    if status is FeedbackStatus.PENDING:
        return await reopen(tx, feedback_id)
    (done, *others) = await review_many(tx, [feedback_id], status, notes)
    if done.feedback is None:
        raise FeedbackNotFound
    if done.outcome == "already":
        raise _reviewed_before(done.feedback)
    return _with_twins(done.feedback, [each.id for each in others])


def _with_twins(feedback: Feedback, twins: Sequence[UUID]) -> FeedbackAfterReview:
    return FeedbackAfterReview(**msgspec.structs.asdict(feedback), twin_ids=sorted(twins))


async def review_many(
    tx: Tx,
    ids: Sequence[UUID],
    status: FeedbackStatus,
    notes: str | None,
    decision_id: UUID | None = None,
) -> list[ReviewOutcome]:
    """One note for all, and an answer for each, those that went with them last."""
    done = await review_rows(tx, ids, status, notes, decision_id)
    return await tell_outcomes(tx, [*ids, *(row.id for row in done)], {row.id for row in done})


async def review_rows(
    tx: Tx,
    ids: Sequence[UUID],
    status: FeedbackStatus,
    notes: str | None,
    decision_id: UUID | None = None,
) -> list[Reviewed]:
    """Those of them that waited. What is dismissed of a rejection is with its twins, unless a decision about more says which."""
    tx.actor.check(FEEDBACK_REVIEW)
    notes = notes if notes and notes.strip() else None
    if status is FeedbackStatus.DISMISSED and decision_id is None:
        ids = await _and_twins(tx, ids)
    done = await store.set_reviewed(tx, ids, status, notes, await tx.moment(), decision_id)
    decided = decision_id or msgspec.UNSET
    await emit_all(
        tx,
        [
            events.REVIEWED.of(
                row.id,
                events.FeedbackReviewed(source_type=row.source_type, status=status, decision_id=decided),
            )
            for row in done
        ],
    )
    await _mark_groups(tx, done)
    return done


async def take_back_reviews(tx: Tx, ids: Sequence[UUID]) -> list[ReviewOutcome]:
    """What one has reviewed oneself waits again; nobody else's review is taken back with it."""
    done = await reopen_many(tx, ids, own_only=True)
    return await tell_outcomes(tx, [*ids, *(row.id for row in done)], {row.id for row in done})


async def tell_outcomes(tx: Tx, ids: Sequence[UUID], changed: set[UUID]) -> list[ReviewOutcome]:
    """What became of each, of which some were changed now."""
    rows = await store.find_many(tx, ids)
    return [
        ReviewOutcome(
            id=each,
            outcome="done" if each in changed else "already" if each in rows else "absent",
            feedback=rows.get(each),
        )
        for each in dict.fromkeys(ids)
    ]


async def reopen(tx: Tx, feedback_id: UUID) -> FeedbackAfterReview:
    tx.actor.check(FEEDBACK_REVIEW)
    await access(tx, feedback_id)
    done = await reopen_many(tx, [feedback_id])
    if not done:
        raise FeedbackPending(conflict={"id": str(feedback_id)})
    twins = [row.id for row in done if row.id != feedback_id]
    return _with_twins(await access(tx, feedback_id), twins)


async def reopen_many(
    tx: Tx, ids: Sequence[UUID], decision_id: UUID | None = None, own_only: bool = False
) -> list[Reviewed]:
    """Those that were reviewed wait again, and their twins; with `decision_id` only those that this decision reviewed, with
    `own_only` those that whoever asks has."""
    tx.actor.check(FEEDBACK_REVIEW)
    if decision_id is None:
        ids = await _and_twins(tx, ids)
    done = await store.set_pending(tx, ids, await tx.moment(), decision_id, own_only)
    payloads = [(row.id, events.FeedbackReopened(source_type=row.source_type)) for row in done]
    await emit_all(tx, [events.REOPENED.of(row_id, payload) for row_id, payload in payloads])
    await _mark_groups(tx, done)
    return done


async def reopen_decided(tx: Tx, decision_id: UUID) -> int:
    """What a decision has reviewed waits again, however much it is; how many did."""
    count = 0
    while ids := await store.list_decided(tx, decision_id, MOST_REOPENED):
        count += len(await reopen_many(tx, ids, decision_id))
    return count


async def take_back(tx: Tx, feedback_id: UUID) -> None:
    """By whoever gave it, while nobody has reviewed it."""
    tx.actor.check(FEEDBACK_CREATE)
    feedback = await access(tx, feedback_id)
    if (feedback.author.kind, feedback.author.id) != (tx.actor.kind, tx.actor.id) or feedback.end_user:
        raise Forbidden("Feedback is taken back by whoever gave it; a reviewer dismisses it")
    ids = await _and_twins(tx, [feedback_id])
    done = await store.set_reviewed(tx, ids, FeedbackStatus.DISMISSED, TAKEN_BACK, await tx.moment())
    if not done:
        before = await access(tx, feedback_id)
        if before.review_notes == TAKEN_BACK:
            return
        raise _reviewed_before(before)
    dismissed = [
        (row.id, events.FeedbackReviewed(source_type=row.source_type, status=FeedbackStatus.DISMISSED))
        for row in done
    ]
    await emit_all(tx, [events.REVIEWED.of(row_id, payload) for row_id, payload in dismissed])
    await _mark_groups(tx, done)


async def erase(tx: Tx, feedback_id: UUID) -> None:
    """For good. What rests on it is counted anew in the same transaction, by whoever hears of it."""
    tx.actor.check(FEEDBACK_ERASE)
    feedback = await access(tx, feedback_id)
    await store.forget_replacement(tx, feedback_id)
    gone = events.FeedbackGone(source_type=feedback.source_type)
    await emit_all(tx, [events.ERASED.of(feedback_id, gone)])
    await _mark_groups(tx, await store.delete(tx, [feedback_id]))


async def _and_twins(tx: Tx, ids: Sequence[UUID]) -> list[UUID]:
    """One rejection is a row for its response and one for each value: whoever dismisses or restores one means the others."""
    found = [*ids]
    while twins := await twin_store.list_twins(tx, found):
        found += twins
    return found


async def _mark_groups(tx: Tx, rows: Sequence[Reviewed]) -> None:
    await set_marks(tx, "feedback.group", sorted({str(row.group_id) for row in rows if row.group_id}))


def _reviewed_before(feedback: Feedback) -> FeedbackReviewed:
    return FeedbackReviewed(
        conflict={
            "id": str(feedback.id),
            "status": feedback.status,
            "reviewer": msgspec.to_builtins(feedback.reviewer),
            "reviewed_at": msgspec.to_builtins(feedback.reviewed_at),
            "review_notes": feedback.review_notes,
        }
    )
