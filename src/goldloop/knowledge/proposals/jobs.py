"""Groups of feedback become proposals after the fact: when one is proposed or comes back, and when more join it."""

from uuid import UUID

from goldloop.feedback.groups import events
from goldloop.kit.db import Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import mark
from goldloop.knowledge.proposals import service
from goldloop.knowledge.rows import derived_service


@mark(derived_service.PROPOSE)
async def propose(tx: Tx, key: str) -> None:
    await service.propose(tx, UUID(key))


for _event in (events.PROPOSED, events.GREW, events.RETURNED, events.MERGED, events.ADDED):
    listen(_event.name, Listener(mark=derived_service.PROPOSE))
