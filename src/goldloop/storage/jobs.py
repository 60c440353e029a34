"""Measuring: every hour where storage is limited, when a limit is set, and when somebody asks."""

from goldloop.erasures.jobs import blob_folders
from goldloop.kit.db import Actor, Database
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.outside import Outside
from goldloop.kit.queue import enqueue, job, periodic
from goldloop.limits import service as limits
from goldloop.limits.events import CHANGED
from goldloop.storage import service
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspaces

TENANTS = 1000


@periodic("storage.look", cron="7 * * * *")
async def look(db: Database) -> None:
    after = None
    while tenants := await workspaces.ids(db, after, TENANTS):
        for tenant_id in tenants:
            async with db.tx(system_actor(tenant_id)) as tx:
                if (await limits.load(tx)).limits.storage_bytes is not None:
                    await enqueue(tx, service.JOB, {})
        after = tenants[-1]


@job(service.JOB)
async def measure(db: Database, actor: Actor, outside: Outside) -> None:
    blob_bytes = 0
    for folder in blob_folders(actor.tenant_id):
        async for blob in outside.blobs.list(folder):
            blob_bytes += blob.size
    async with db.tx(actor) as tx:
        row_bytes = await service.measure_rows(tx)
        await limits.keep_measure(tx, row_bytes, blob_bytes)


def _of_storage(event: Event) -> dict[str, str] | None:
    return {} if event.payload["storage_bytes"] is not None else None


listen(CHANGED.name, Listener(job=service.JOB, payload=_of_storage))
