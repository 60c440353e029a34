"""Use cases: who rated a record with a criteria set. Each by their newest response, side by side; and all their scores, as
points over time. Rejected and withdrawn responses do not count."""

from datetime import datetime
from uuid import UUID

from goldloop.criteria import service as criteria
from goldloop.entities.records import service as records
from goldloop.kit.db import Tx
from goldloop.kit.pagination import (
    FIRST_ID,
    LAST_ID,
    LAST_TIME,
    Page,
    decode_keys,
    decode_pair,
    encode_cursor,
    has_more,
    page,
)
from goldloop.responses import store
from goldloop.responses.model import EntityResponse, ScoredResponse
from goldloop.responses.permissions import RESPONSES_READ

FIRST_RATER = (FIRST_ID, False)  # before every rater: the system is (FIRST_ID, True)


async def list_by_rater(
    tx: Tx, entity_id: UUID, set_id: UUID, cursor: str | None, limit: int
) -> Page[EntityResponse]:
    await _access(tx, entity_id, set_id)
    after = decode_keys(cursor, tuple[UUID, bool]) or FIRST_RATER
    rows = await store.list_by_rater(tx, entity_id, set_id, after, limit + 1)
    shown = rows[:limit]
    return Page(
        data=[response for _, response in shown],
        next_cursor=encode_cursor(*shown[-1][0]) if has_more(rows, limit) else None,
    )


async def list_scores(
    tx: Tx, entity_id: UUID, set_id: UUID, cursor: str | None, limit: int
) -> Page[ScoredResponse]:
    await _access(tx, entity_id, set_id)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_scores(tx, entity_id, set_id, before, limit + 1)
    return page(rows, limit, lambda point: (point.created_at, point.response_id))


async def _access(tx: Tx, entity_id: UUID, set_id: UUID) -> None:
    tx.actor.check(RESPONSES_READ)
    await records.access(tx, entity_id)
    await criteria.access(tx, set_id)
