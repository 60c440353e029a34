"""The jobs that write an archive into the blob store, and that remove what is left of one."""

import time
from uuid import UUID

from goldloop.archives import parts, service
from goldloop.archives.export_service import write_archive
from goldloop.archives.packing import Packer
from goldloop.archives.parts import PartWriter
from goldloop.archives.service import Begun
from goldloop.kit.db import Actor, Database
from goldloop.kit.outside import Outside
from goldloop.kit.queue import LONG_QUEUE, job
from goldloop.tenants.auth.actors import system_actor

ADVANCE_SECONDS = 1.0  # between two looks at how far it is


class _Overtaken(Exception):
    """It was cancelled, or another worker writes it."""


@job(service.JOB, queue=LONG_QUEUE)
async def write(db: Database, actor: Actor, outside: Outside, *, run_id: str) -> None:
    async with db.tx(actor) as tx:
        begun = await service.begin(tx, UUID(run_id))
    if begun is None:
        return
    done = False
    try:
        done = await _write(db, actor, outside, begun)
    except _Overtaken:
        return
    finally:
        if not done:
            await parts.remove_try(outside.blobs, begun.place)
    await parts.remove(outside.blobs, actor.tenant_id, begun.run.id, keep=begun.place.attempt)


async def _write(db: Database, actor: Actor, outside: Outside, begun: Begun) -> bool:
    writer = PartWriter(outside.blobs, begun.place)
    reader = system_actor(actor.tenant_id)  # whoever may have an archive has all of it
    written = await write_archive(
        db, reader, outside.blobs, Packer(writer.add), personal=False, advance=_Progress(db, actor, begun)
    )
    await writer.finish()
    async with db.tx(actor) as tx:
        return await service.finish(tx, begun, written.size, written.manifest)


class _Progress:
    def __init__(self, db: Database, actor: Actor, begun: Begun) -> None:
        self.db = db
        self.actor = actor
        self.begun = begun
        self.next = 0.0

    async def __call__(self, done: int, total: int) -> None:
        if time.monotonic() < self.next:
            return
        async with self.db.tx(self.actor) as tx:
            if not await service.advance(tx, self.begun, done, total):
                raise _Overtaken
        self.next = time.monotonic() + ADVANCE_SECONDS


@job(service.CLEAN_JOB)
async def clean(db: Database, actor: Actor, outside: Outside, *, archive_id: str) -> None:
    """Remove the parts of an archive that is over without being there, was deleted, or has had its time."""
    async with db.tx(system_actor(actor.tenant_id)) as tx:
        keep = await service.expire(tx, UUID(archive_id))
    await parts.remove(outside.blobs, actor.tenant_id, UUID(archive_id), keep=keep)
