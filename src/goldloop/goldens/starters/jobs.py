"""How sessions of starter sets become goldens, and when their trials begin. Infrastructure beside its registrations."""

from uuid import UUID

from goldloop.goldens.cases.snapshot import WHOLE
from goldloop.goldens.runs import events as run_events
from goldloop.goldens.starters import service
from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.outside import Outside
from goldloop.kit.queue import mark
from goldloop.runtimes import purpose_service as purposes
from goldloop.runtimes.purpose_service import Purpose
from goldloop.sessions.whole_sessions import read_events


@mark(service.PROMOTE, max_attempts=10)
async def promote(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    recorded = await read_events(db, outside, actor, UUID(key), WHOLE)
    async with db.tx(actor) as tx:
        await service.promote(tx, UUID(key), recorded)


@mark(service.TRY)
async def try_next(tx: Tx, key: str) -> None:
    await service.try_next(tx, key)


purposes.register(Purpose(name=service.STARTER, finish=service.mark_completed))
listen(run_events.ENDED.name, Listener(act=service.mark_next))
