"""Use case: dismiss or restore feedback where knowledge rests on it, whoever decided about it before, and whatever."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from goldloop.feedback.entries import review_service as reviews
from goldloop.feedback.model import FeedbackNotFound, FeedbackStatus
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.db import Tx
from goldloop.knowledge.model import SharedContext
from goldloop.knowledge.rows import service, support_store


class SupportReviewed(msgspec.Struct, frozen=True, kw_only=True):
    """`changed` is the feedback that counts otherwise now: empty where all of it was so before. `row` is the knowledge then."""

    changed: list[UUID]
    row: SharedContext


async def review_support(
    tx: Tx, row_id: UUID, feedback_ids: Sequence[UUID], *, dismissed: bool, notes: str | None
) -> SupportReviewed:
    """All of it or nothing. What was reviewed or applied before is dismissed all the same; what is restored waits again. Every
    row that rests on it is counted anew."""
    service.check_decides(tx)
    tx.actor.check(FEEDBACK_REVIEW)
    await service.hold_with_feedback(tx, row_id)
    known = {signal.feedback_id for signal in await support_store.list_signals(tx, row_id)}
    facts = await support_store.list_facts(tx, feedback_ids)
    if {fact.id for fact in facts} != set(feedback_ids) or not known.issuperset(feedback_ids):
        raise FeedbackNotFound
    concerned = [fact.id for fact in facts if (fact.status == FeedbackStatus.DISMISSED) is not dismissed]
    done = await reviews.reopen_many(tx, concerned)
    if dismissed:
        done = await reviews.review_rows(tx, concerned, FeedbackStatus.DISMISSED, notes)
    return SupportReviewed(changed=sorted(each.id for each in done), row=await service.access_any(tx, row_id))
