"""What responses rebuild after their type has changed."""

from goldloop.kit.db import Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import mark
from goldloop.responses import store


@mark("responses.of_type", cap=2)
async def refresh_of_type(tx: Tx, slug: str) -> None:
    await store.refresh_of_type(tx, slug)


for name in ("entity_type.changed", "entity_type.featured"):
    listen(name, Listener(mark="responses.of_type"))
