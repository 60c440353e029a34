"""The job that runs a session, and the events that queue, resume and stop it."""

from uuid import UUID

from goldloop.kit.db import Actor, Database
from goldloop.kit.events import Listener, listen
from goldloop.kit.outside import Outside
from goldloop.kit.queue import LONG_QUEUE, job
from goldloop.runtimes import service
from goldloop.runtimes.runner import execute
from goldloop.sessions import events


@job(service.JOB, queue=LONG_QUEUE)
async def run(db: Database, actor: Actor, outside: Outside, *, run_id: str) -> None:
    async with db.tx(actor) as tx:
        plan = await service.begin(tx, UUID(run_id))
    if plan is not None:
        await execute(db, outside, plan)


listen(events.CREATED.name, Listener(act=service.queue))
listen(events.ANSWERED.name, Listener(act=service.go_on))
listen(events.CANCELLED.name, Listener(act=service.stop))
