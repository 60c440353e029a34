"""The job that starts a task when it is due, and the end of one before it was done."""

from datetime import datetime
from uuid import UUID

from goldloop.jobs.events import ENDED
from goldloop.kit.db import Actor, Database
from goldloop.kit.errors import GoldloopError
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import job
from goldloop.tasks import service
from goldloop.tenants.auth.actors import system_actor


@job(service.JOB)
async def run_due(db: Database, actor: Actor, *, task_id: str, due: str) -> None:
    """By nobody: whoever made the schedule may have left since."""
    clock = system_actor(actor.tenant_id)
    moment = datetime.fromisoformat(due)
    try:
        async with db.tx(clock) as tx:
            await service.run_due(tx, UUID(task_id), moment)
    except GoldloopError as error:
        if error.status >= 500:
            raise
        async with db.tx(clock) as tx:
            await service.pass_over(tx, UUID(task_id), moment, error)


listen(ENDED.name, Listener(act=service.queue_again))
