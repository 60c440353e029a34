"""What responses rebuild after their type has changed."""

from goldloop.kit.db import Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import mark


@mark("responses.of_type", cap=2)
async def refresh_of_type(tx: Tx, slug: str) -> None:
    await tx.execute("SELECT refresh_type_responses($1)", slug)


for name in ("entity_type.changed", "entity_type.featured"):
    listen(name, Listener(mark="responses.of_type"))
