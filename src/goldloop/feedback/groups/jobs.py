"""Grouping, after the fact: a mark of the workspace as long as there is something to place, and one of each group whose
members have changed."""

from datetime import timedelta
from uuid import UUID

from goldloop.feedback.groups import decision_store, derived_service, place_service, place_store
from goldloop.feedback.groups.place_store import Vector
from goldloop.feedback.groups.wording import chunks, own_words
from goldloop.kit.at_first_use import np
from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.embedding import Embedder
from goldloop.kit.outside import Outside
from goldloop.kit.queue import mark

NOTES = 16  # encoded at once: others wait for the encoder as well
GATHER = timedelta(seconds=2)  # what comes within it is placed together


@mark("feedback.place", delay=GATHER)
async def place(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    """Keys first: what is grouped by them does not wait for a model that is away."""
    while await _keys(db, actor):
        pass
    await _embed(db, actor, outside.embedder)
    while await _wording(db, actor, outside.embedder.model):
        pass


async def _keys(db: Database, actor: Actor) -> int:
    async with db.tx(actor) as tx:
        return await place_service.place_by_keys(tx)


async def _wording(db: Database, actor: Actor, model: str) -> int:
    async with db.tx(actor) as tx:
        return await place_service.place_by_wording(tx, model)


async def _embed(db: Database, actor: Actor, embedder: Embedder) -> None:
    while True:
        async with db.tx(actor) as tx:
            missing = await place_store.list_without_vector(tx, embedder.model, NOTES)
        if not missing:
            return
        parts = [(feedback_id, part) for feedback_id, text in missing for part in chunks(own_words(text))]
        made = await embedder.embed([part for _, part in parts])
        vectors = []
        for feedback_id, text in missing:
            own = [v for (owner, _), v in zip(parts, made.vectors, strict=True) if owner == feedback_id]
            mean = np.mean(own, axis=0)
            values = (mean / max(float(np.linalg.norm(mean)), 1e-9)).tolist()
            vectors.append(Vector(feedback_id, text, values))
        async with db.tx(actor) as tx:
            await place_store.set_vectors(tx, made.model, vectors)


@mark("feedback.group")
async def refresh(tx: Tx, key: str) -> None:
    await derived_service.refresh(tx, UUID(key), await decision_store.lock(tx))
