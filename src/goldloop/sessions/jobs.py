"""The mark of a session that runs elsewhere: it is looked at again and again until it ends or is not heard of any more."""

from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.queue import mark
from goldloop.sessions import service, watch_service


@mark(service.WATCH, delay=service.SILENCE)
async def watch(tx: Tx, key: str) -> None:
    await watch_service.watch(tx, UUID(key))
