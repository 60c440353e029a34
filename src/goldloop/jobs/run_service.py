"""Runs: work that takes a while and goes from queued through running to done, failed or cancelled.

A run has a job that does it, a place to go on from after a crash, and how far it is. Each change is guarded by the state
that it leaves, so two workers or a cancel in between do no harm, and pages that look at the topic of its kind hear of it.
The concept that a run belongs to says what happens when it ends. A run whose job is over ends with it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.jobs import run_store as store
from goldloop.jobs import store as jobs
from goldloop.jobs.ending_service import cancel_job
from goldloop.jobs.model import JobStatus, Run, RunStatus
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, notify
from goldloop.kit.ids import new_id
from goldloop.kit.queue import enqueue

JOB_ENDED = "job_ended"  # the error code of a run whose job ended before it did


@dataclass(frozen=True, slots=True, kw_only=True)
class RunKind:
    """What the runs of a concept have in common: the `topic` that its pages watch, the `job` that does one (with
    `run_id` as its payload), and `ended`, which runs in the transaction that ends one. Of an `exclusive` kind a subject
    has one open run at a time."""

    name: str
    topic: str
    job: str
    ended: Callable[[Tx, Run], Awaitable[None]]
    exclusive: bool = False


KINDS: dict[str, RunKind] = {}


def register(kind: RunKind) -> RunKind:
    KINDS[kind.name] = kind
    return kind


async def create(
    tx: Tx, kind: RunKind, run_id: UUID, subject: str, *, total: int = 0, resume_point: Any = None
) -> Run | None:
    """Queue a run and its job. None when the id is taken, or an exclusive run of the subject is open."""
    job_id = new_id()
    if not await store.insert(tx, kind.name, run_id, job_id, subject, kind.exclusive, total, resume_point):
        return None
    await enqueue(tx, kind.job, {"run_id": str(run_id)}, job_id=job_id)
    await _notify(tx, kind.name, run_id)
    return await store.find(tx, run_id)


async def start(tx: Tx, run_id: UUID) -> Run | None:
    """From queued to running; a run that runs already stays as it is. None when it is over, or not there."""
    found = await store.lock(tx, run_id)
    if found is None or not found.status.is_open:
        return None
    if found.status is RunStatus.QUEUED:
        await store.start(tx, run_id, await tx.moment())
        await _notify(tx, found.kind, run_id)
        found = await store.find(tx, run_id)
    return found


async def resume(tx: Tx, run_id: UUID, *, run_at: datetime | None = None) -> bool:
    """Give an open run whose job is done another one, to go on from where it is, at once or later. False when it is over."""
    found = await store.lock(tx, run_id)
    if found is None or not found.status.is_open:
        return False
    job_id = await enqueue(tx, KINDS[found.kind].job, {"run_id": str(run_id)}, run_at=run_at)
    await store.set_job(tx, run_id, job_id)
    await _notify(tx, found.kind, run_id)
    return True


async def reopen(tx: Tx, run_id: UUID) -> bool:
    """Queue a run that failed or was cancelled once more, to go on from where it is. False when it is open, or was done."""
    return await store.reopen(tx, run_id) and await resume(tx, run_id)


async def advance(tx: Tx, run: Run, *, done: int, resume_point: Any, total: int | None = None) -> bool:
    """How far a running run is now, and of how much where that was not known before. False when it is over, or is not
    where `run` was: another worker is ahead."""
    if not await store.advance(tx, run, done, resume_point, run.total if total is None else total):
        return False
    await _notify(tx, run.kind, run.id)
    return True


async def finish(tx: Tx, run_id: UUID) -> bool:
    """False, as with the others that end a run, when it is over already."""
    return await _end(tx, run_id, RunStatus.DONE)


async def fail(tx: Tx, run_id: UUID, code: str, message: str) -> bool:
    return await _end(tx, run_id, RunStatus.FAILED, code, message)


async def cancel(tx: Tx, run_id: UUID) -> bool:
    """End a run at once; its job is cancelled, or asked to stop."""
    if not await _end(tx, run_id, RunStatus.CANCELLED):
        return False
    await stop_job(tx, run_id)
    return True


async def stop_job(tx: Tx, run_id: UUID) -> None:
    """Cancel the job of a run that is over, or ask it to stop."""
    found = await store.find(tx, run_id)
    if found is not None and found.job_id is not None:
        await cancel_job(tx, found.job_id)


async def request_cancel(tx: Tx, run_id: UUID) -> bool:
    """Cancel a run that waits; leave it to one that runs to stop where it can, by `cancel_requested`."""
    found = await store.lock(tx, run_id)
    if found is None or not found.status.is_open:
        return False
    if found.status is RunStatus.QUEUED:
        return await cancel(tx, run_id)
    await store.request_cancel(tx, run_id)
    await _notify(tx, found.kind, run_id)
    return True


async def end_with_job(tx: Tx, event: Event) -> None:
    """In the transaction that ends the job: its run is over too, if it is not yet."""
    found = await store.find_by_job(tx, UUID(event.subject_id))
    if found is None or not found.status.is_open:
        return
    if event.payload["outcome"] == JobStatus.CANCELLED:
        await _end(tx, found.id, RunStatus.CANCELLED)
    else:
        job = await jobs.find(tx, UUID(event.subject_id))
        why = f"{job.error.type}: {job.error.message}" if job and job.error else "its job ended before it did"
        await fail(tx, found.id, JOB_ENDED, f"The run was given up: {why}")


async def _end(
    tx: Tx, run_id: UUID, status: RunStatus, code: str | None = None, message: str | None = None
) -> bool:
    if await store.lock(tx, run_id) is None:
        return False
    if not await store.end(tx, run_id, status, await tx.moment(), code, message):
        return False
    ended = await store.find(tx, run_id)
    assert ended is not None
    await _notify(tx, ended.kind, run_id)
    await KINDS[ended.kind].ended(tx, ended)
    return True


async def _notify(tx: Tx, kind: str, run_id: UUID) -> None:
    await notify(tx, KINDS[kind].topic, str(run_id))
