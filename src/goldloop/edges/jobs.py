"""The scores that connections carry follow the responses; a repair rebuilds them all."""

from uuid import UUID

from goldloop.edges import service, store
from goldloop.edges.ranking import compute_scores
from goldloop.kit import compute_threads
from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.pagination import FIRST_ID
from goldloop.kit.queue import enqueue, job, mark, set_marks

BATCH = 1000


@mark("edges.scores")
async def refresh_edge_scores(db: Database, actor: Actor, key: str) -> None:
    """What comes in meanwhile leaves another mark."""
    async with db.tx(actor) as tx:
        read = await service.read_scores(tx, UUID(key))
    scores = await compute_threads.run_always(actor.tenant_id, compute_scores, read)
    async with db.tx(actor) as tx:
        await service.promote_edge_scores(tx, UUID(key), scores)


@job("edges.repair")
async def repair_edge_scores(tx: Tx, *, after: str = str(FIRST_ID)) -> None:
    """Mark every record whose connections have scores, or should have; a batch, and then the next."""
    found = await store.list_sources(tx, UUID(after), BATCH)
    await set_marks(tx, "edges.scores", [str(entity_id) for entity_id in found])
    if len(found) == BATCH:
        await enqueue(tx, "edges.repair", {"after": str(found[-1])})


def _rated(event: Event) -> list[str]:
    return [event.payload["entity_id"]] if "field_key" in event.payload else []


for name in ("response.submitted", "response.rejected", "response.reopened", "response.withdrawn"):
    listen(name, Listener(mark="edges.scores", keys=_rated))
listen("relation.added", Listener(mark="edges.scores"))
