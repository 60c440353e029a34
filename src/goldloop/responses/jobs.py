"""What responses do after their type has changed and after somebody who was to review some has left or may not any more, and
the summaries of all records."""

from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import mark, set_marks
from goldloop.responses import queue_service, store

BATCH = 200  # records whose summaries are rebuilt in one transaction, and responses that are freed in one


@mark("responses.of_type", cap=2)
async def refresh_of_type(tx: Tx, slug: str) -> None:
    await store.refresh_of_type(tx, slug)


@mark("responses.unassign")
async def unassign(tx: Tx, user_id: str) -> None:
    """Free what is assigned to somebody who does not review any more, a batch, and mark the next one."""
    if await queue_service.free_assigned(tx, UUID(user_id), BATCH):
        await set_marks(tx, "responses.unassign", [user_id])


async def unassign_at_once(tx: Tx, event: Event) -> None:
    """The first batch with the change itself, so that a page read after it is right for all but the busiest."""
    await unassign(tx, event.subject_id)


@mark("responses.summaries")
async def rebuild_summaries(tx: Tx, key: str) -> None:
    """Rebuild the score summaries of the records after an id, a batch, and mark the next one. The migration that made
    them marks each workspace, and so does a repair."""
    last = await store.repair_summaries(tx, UUID(key), BATCH)
    if last is not None:
        await set_marks(tx, "responses.summaries", [str(last)])


for name in ("member.removed", "member.changed"):
    listen(name, Listener(act=unassign_at_once))
for name in ("entity_type.changed", "entity_type.featured"):
    listen(name, Listener(mark="responses.of_type"))
