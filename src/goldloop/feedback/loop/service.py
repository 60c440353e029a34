"""Use case: how well rejections lead to acceptance in a workspace."""

from datetime import datetime
from uuid import UUID

from goldloop.feedback.loop import store
from goldloop.feedback.loop.report import Attempt, QualityLoopReport, report
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.db import Tx
from goldloop.kit.pagination import FIRST_ID, FIRST_TIME, LAST_TIME

BATCH = 1000
MOST_ATTEMPTS = 100_000  # that one report is about: the oldest since when was asked for


async def read(tx: Tx, since: datetime | None, until: datetime | None) -> QualityLoopReport:
    tx.actor.check(FEEDBACK_REVIEW)
    attempts: list[Attempt] = []
    after: tuple[datetime, UUID] = (since or FIRST_TIME, FIRST_ID)
    while len(attempts) < MOST_ATTEMPTS:
        found = await store.list_attempts(tx, after, until or LAST_TIME, BATCH)
        attempts += found
        if len(found) < BATCH:
            break
        after = (found[-1].created_at, found[-1].id)
    return report(attempts)
