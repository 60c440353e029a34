"""What responses do after their type has changed and after somebody who was to review some has left, and the summaries of
all records."""

from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import mark, set_marks
from goldloop.responses import queue_service, store

BATCH = 200  # records whose summaries are rebuilt in one transaction


@mark("responses.of_type", cap=2)
async def refresh_of_type(tx: Tx, slug: str) -> None:
    await store.refresh_of_type(tx, slug)


async def free_assigned(tx: Tx, event: Event) -> None:
    await queue_service.free_assigned(tx, UUID(event.subject_id))


@mark("responses.summaries")
async def rebuild_summaries(tx: Tx, key: str) -> None:
    """Rebuild the score summaries of the records after an id, a batch, and mark the next one. The migration that made
    them marks each workspace, and so does a repair."""
    last = await store.repair_summaries(tx, UUID(key), BATCH)
    if last is not None:
        await set_marks(tx, "responses.summaries", [str(last)])


listen("member.removed", Listener(act=free_assigned))
for name in ("entity_type.changed", "entity_type.featured"):
    listen(name, Listener(mark="responses.of_type"))
