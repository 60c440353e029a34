"""Letting go of what is due: every hour a job for each workspace, so that they come in turn, and another after each batch."""

from goldloop.erasures.events import DONE
from goldloop.kit.db import ERASER_ROLE, Actor, Database
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import enqueue, job, periodic
from goldloop.retention import service
from goldloop.retention.model import SETTINGS, KeptFor
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.settings import service as settings
from goldloop.tenants.workspaces import store as workspaces

JOB = "retention.let_go"
TENANTS = 1000


@periodic("retention.look", cron="37 * * * *")
async def look(db: Database) -> None:
    after = None
    while tenants := await workspaces.ids(db, after, TENANTS):
        for tenant_id in tenants:
            async with db.tx(system_actor(tenant_id)) as tx:
                if await settings.read(tx, SETTINGS) != KeptFor():
                    await enqueue(tx, JOB, {})
        after = tenants[-1]


@job(JOB)
async def let_go(db: Database, actor: Actor) -> None:
    async with db.in_role(ERASER_ROLE).tx(actor) as tx:
        await service.let_go(tx)


def _of_retention(event: Event) -> dict[str, str] | None:
    """After a batch the next, at the end of the queue."""
    return {} if event.payload["kind"] == "retention" else None


listen(DONE.name, Listener(job=JOB, payload=_of_retention))
