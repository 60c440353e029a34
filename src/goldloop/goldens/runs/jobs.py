"""The mark of a run that can go on, and the floor that a new golden gets."""

from uuid import UUID

from goldloop.goldens.cases import events as case_events
from goldloop.goldens.runs import end_service, service
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import mark


@mark(service.ADVANCE)
async def advance(tx: Tx, key: str) -> None:
    await end_service.advance(tx, UUID(key))


async def begin_floor(tx: Tx, event: Event) -> None:
    if event.payload["floor"]:
        await service.begin_floor(tx, UUID(event.subject_id))


listen(case_events.PROMOTED.name, Listener(act=begin_floor))
