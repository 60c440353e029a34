"""Use case: erase feedback for good."""

from uuid import UUID

from goldloop.feedback.entries import events, service, store
from goldloop.feedback.permissions import FEEDBACK_ERASE
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.kit.queue import set_marks


async def erase(tx: Tx, feedback_id: UUID) -> None:
    """What rests on it is counted anew in the same transaction, by whoever hears of it."""
    tx.actor.check(FEEDBACK_ERASE)
    feedback = await service.access(tx, feedback_id)
    await emit(tx, events.ERASED.of(feedback_id, events.FeedbackGone(source_type=feedback.source_type)))
    gone = await store.delete(tx, [feedback_id])
    await set_marks(tx, "feedback.group", sorted({str(row.group_id) for row in gone if row.group_id}))
