"""What responses do after their type has changed, and after somebody who was to review some has left."""

from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import mark
from goldloop.responses import queue_service, store


@mark("responses.of_type", cap=2)
async def refresh_of_type(tx: Tx, slug: str) -> None:
    await store.refresh_of_type(tx, slug)


async def free_assigned(tx: Tx, event: Event) -> None:
    await queue_service.free_assigned(tx, UUID(event.subject_id))


listen("member.removed", Listener(act=free_assigned))
for name in ("entity_type.changed", "entity_type.featured"):
    listen(name, Listener(mark="responses.of_type"))
