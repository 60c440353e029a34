"""What of feedback changes knowledge, in the transaction of its cause; and what is done after the fact: rows are read by the
encoder, and ranks follow what was confirmed."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from goldloop.feedback.entries import events as feedback
from goldloop.kit.db import Actor, Database
from goldloop.kit.events import Listener, listen
from goldloop.kit.outside import Outside
from goldloop.kit.queue import mark
from goldloop.knowledge.rows import (
    compare_store,
    derived_service,
    learning_service,
    neighbour_service,
    store,
    support_service,
)

AT_ONCE = 16  # rows that are encoded together: others wait for the encoder as well
RANKED_AT_ONCE = 200  # rows of one transaction; the others follow in the next
DAILY = timedelta(days=1)  # what was confirmed takes effect together, so that prompts stay the same meanwhile


@mark(derived_service.COMPARE)
async def compare(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    """What was read and not yet settled, as where a worker ended between both, is settled first."""
    async with db.tx(actor) as tx:
        unsettled = await compare_store.list_unsettled(tx, learning_service.UNCOMPARED)
    await _settle(db, actor, unsettled)
    while True:
        async with db.tx(actor) as tx:
            missing = await compare_store.list_unread(tx, AT_ONCE)
        if not missing:
            return
        made = await outside.embedder.embed([words for _, words in missing])
        vectors = [
            (row_id, words, [float(each) for each in vector])
            for (row_id, words), vector in zip(missing, made.vectors, strict=True)
        ]
        async with db.tx(actor) as tx:
            await compare_store.set_vectors(tx, made.model, vectors)
            ids = sorted((row_id for row_id, _, _ in vectors), reverse=True)
            await neighbour_service.note_contradictions(tx, ids)
        await _settle(db, actor, ids)


async def _settle(db: Database, actor: Actor, ids: Sequence[UUID]) -> None:
    for row_id in ids:
        async with db.tx(actor) as tx:
            await learning_service.settle(tx, row_id)


@mark(derived_service.RANKS, delay=DAILY)
async def rank(db: Database, actor: Actor, key: str) -> None:
    while True:
        async with db.tx(actor) as tx:
            stale = await store.list_stale(tx, RANKED_AT_ONCE)
            for row_id in stale:
                await derived_service.rerank(tx, row_id)
        if len(stale) < RANKED_AT_ONCE:
            return


listen(feedback.REVIEWED.name, Listener(act=support_service.heed_review))
listen(feedback.REOPENED.name, Listener(act=support_service.heed_reopening))
listen(feedback.CHANGED.name, Listener(act=support_service.heed_change))
listen(feedback.CREATED.name, Listener(act=support_service.heed_new))
listen(feedback.WITHDRAWN.name, Listener(act=support_service.heed_withdrawal))
listen(feedback.ERASED.name, Listener(act=support_service.heed_erasure))
