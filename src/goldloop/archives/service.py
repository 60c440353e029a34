"""Use cases: have an archive of the workspace written, see how far it is, stop it, download and delete it.

A snapshot of the database does not outlive the process that reads it. So a worker that dies leaves nothing to go on from: the
next one begins anew, under a try of its own, and what the first had written goes.
"""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from goldloop.archives import events, store
from goldloop.archives.model import (
    Archive,
    ArchiveExists,
    ArchiveNotFound,
    ArchiveNotReady,
    ArchiveOpen,
    ArchiveOver,
    Manifest,
)
from goldloop.archives.parts import Place
from goldloop.archives.permissions import ARCHIVES_MANAGE
from goldloop.archives.ranges import Span
from goldloop.archives.store import Stored
from goldloop.jobs import run_service as runs
from goldloop.jobs import run_store
from goldloop.jobs.model import Run, RunStatus
from goldloop.jobs.run_service import RunKind
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Forbidden
from goldloop.kit.events import NOTHING, emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.kit.queue import enqueue

JOB = "archives.write"
CLEAN_JOB = "archives.clean"
KEPT = timedelta(
    days=7
)  # long enough to be downloaded, short enough that copies of a workspace do not pile up


async def start(tx: Tx, archive_id: UUID | None) -> Archive:
    """Queue an archive. The same start again answers with what is there."""
    _check(tx)
    if archive_id and (known := await store.find(tx, archive_id)):
        return known.shown
    if opened := await run_store.find_open(tx, store.KIND, store.KIND):
        raise ArchiveOpen(conflict={"id": str(opened.id), "status": opened.status})
    await store.check_nothing_is_erased(tx)
    made_id = archive_id or new_id()
    if await run_store.find(tx, made_id):
        raise ArchiveExists(conflict={"id": str(made_id)})
    if not await runs.create(tx, RUNS, made_id, store.KIND):
        raise ArchiveOpen
    await store.insert(tx, made_id)
    await emit(tx, events.STARTED.of(made_id, NOTHING))
    return (await _find(tx, made_id)).shown


async def access(tx: Tx, archive_id: UUID) -> Archive:
    _check(tx)
    return (await _find(tx, archive_id)).shown


async def list_archives(tx: Tx, cursor: str | None, limit: int) -> Page[Archive]:
    _check(tx)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_newest_first(tx, before, limit + 1)
    return page([row.shown for row in rows], limit, lambda archive: (archive.created_at, archive.id))


async def cancel(tx: Tx, archive_id: UUID) -> Archive:
    """Again: no change."""
    _check(tx)
    await _find(tx, archive_id)
    cancelled = await runs.cancel(tx, archive_id)
    found = (await _find(tx, archive_id)).shown
    if not cancelled and found.status is not RunStatus.CANCELLED:
        raise ArchiveOver(conflict={"id": str(archive_id), "status": found.status})
    return found


async def remove(tx: Tx, archive_id: UUID) -> None:
    _check(tx)
    found = await _find(tx, archive_id)
    if found.run.status.is_open:
        await runs.cancel(tx, archive_id)
    await store.set_removed(tx, archive_id, await tx.moment())
    await enqueue(tx, CLEAN_JOB, {"archive_id": str(archive_id)})
    await emit(tx, events.REMOVED.of(archive_id, NOTHING))


class Download(NamedTuple):
    place: Place
    size: int
    made_at: datetime


async def access_download(tx: Tx, archive_id: UUID) -> Download:
    _check(tx)
    found = await _find(tx, archive_id)
    if found.attempt is None or found.shown.size is None or found.shown.contents is None:
        raise ArchiveNotReady(conflict={"id": str(archive_id), "status": found.shown.status})
    place = Place(tx.actor.tenant_id, archive_id, found.attempt)
    return Download(place, found.shown.size, found.shown.contents.made_at)


async def note_download(tx: Tx, archive_id: UUID, span: Span) -> None:
    """Before the first byte leaves: who took a workspace along is a fact of its log."""
    await emit(tx, events.DOWNLOADED.of(archive_id, events.ArchiveDownloaded(start=span.start, end=span.end)))


class Begun(NamedTuple):
    run: Run
    place: Place


async def begin(tx: Tx, archive_id: UUID) -> Begun | None:
    """A try to write it, after which no earlier one gets any further. None where it is over."""
    run = await runs.start(tx, archive_id)
    if run is None:
        return None
    attempt = new_id()
    if not await runs.advance(tx, run, done=0, resume_point=str(attempt)):
        return None
    found = await _find(tx, archive_id)
    return Begun(found.run, Place(tx.actor.tenant_id, archive_id, attempt))


async def advance(tx: Tx, begun: Begun, done: int, total: int) -> bool:
    """False where it is over, or another worker writes it."""
    return await runs.advance(tx, begun.run, done=done, resume_point=begun.run.resume_point, total=total)


async def finish(tx: Tx, begun: Begun, size: int, manifest: Manifest) -> bool:
    """False as with `advance`."""
    found = await store.lock(tx, begun.run.id)
    if found is None or not found.run.status.is_open or found.run.resume_point != begun.run.resume_point:
        return False
    await runs.advance(tx, begun.run, done=manifest.rows, resume_point=begun.run.resume_point)
    expires_at = await tx.moment() + KEPT
    await store.set_written(tx, begun.run.id, begun.place.attempt, size, manifest, expires_at)
    await enqueue(tx, CLEAN_JOB, {"archive_id": str(begun.run.id)}, run_at=expires_at)
    return await runs.finish(tx, begun.run.id)


async def expire(tx: Tx, archive_id: UUID) -> UUID | None:
    """The try whose parts are to stay, None where none are: what has had its time goes now."""
    found = await store.lock(tx, archive_id)
    if found is None or found.attempt is None:
        return None
    moment = await tx.moment()
    if found.shown.expires_at and found.shown.expires_at <= moment:
        await store.set_removed(tx, archive_id, moment)
        return None
    return found.attempt


async def _ended(tx: Tx, run: Run) -> None:
    """In the transaction that ends a run, however it ends."""
    if run.status is not RunStatus.DONE:
        await enqueue(tx, CLEAN_JOB, {"archive_id": str(run.id)})
    await emit(tx, events.ENDED.of(run.id, events.ArchiveEnded(status=run.status, rows=run.done)))


async def _find(tx: Tx, archive_id: UUID) -> Stored:
    found = await store.find(tx, archive_id)
    if found is None:
        raise ArchiveNotFound
    return found


def _check(tx: Tx) -> None:
    """Of people alone: an agent that was talked into it would carry everything away."""
    tx.actor.check(ARCHIVES_MANAGE)
    if tx.actor.kind is ActorKind.AGENT:
        raise Forbidden("Only people export a workspace")


RUNS = runs.register(RunKind(name=store.KIND, topic=events.ARCHIVES, job=JOB, ended=_ended, exclusive=True))
