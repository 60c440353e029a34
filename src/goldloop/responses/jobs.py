"""What responses rebuild: after their type has changed, and the summaries of all records."""

from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import mark, set_marks
from goldloop.responses import store

BATCH = 200  # records whose summaries are rebuilt in one transaction


@mark("responses.of_type", cap=2)
async def refresh_of_type(tx: Tx, slug: str) -> None:
    await store.refresh_of_type(tx, slug)


@mark("responses.summaries")
async def rebuild_summaries(tx: Tx, key: str) -> None:
    """Rebuild the score summaries of the records after an id, a batch, and mark the next one. The migration that made
    them marks each workspace, and so does a repair."""
    last = await store.repair_summaries(tx, UUID(key), BATCH)
    if last is not None:
        await set_marks(tx, "responses.summaries", [str(last)])


for name in ("entity_type.changed", "entity_type.featured"):
    listen(name, Listener(mark="responses.of_type"))
