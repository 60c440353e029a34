"""Use cases: list, show, retry and cancel the jobs and marks of a workspace."""

from uuid import UUID

import msgspec

from goldloop.jobs import store
from goldloop.jobs.ending_service import cancel_job
from goldloop.jobs.model import (
    Job,
    JobDetail,
    JobNotCancellable,
    JobNotFound,
    JobNotRetryable,
    JobStatus,
    Mark,
    MarkNotFound,
)
from goldloop.jobs.permissions import JOBS_MANAGE, JOBS_READ
from goldloop.jobs.retries import wait_before_retry
from goldloop.jobs.store import TakenMark
from goldloop.kit.db import Tx
from goldloop.kit.events import notify
from goldloop.kit.pagination import Page, decode_cursor, page
from goldloop.kit.queue import Work

ERROR_CHARACTERS = 2000


async def list_jobs(
    tx: Tx, status: JobStatus | None, cursor: str | None, limit: int, *, routine: bool | None = None
) -> Page[Job]:
    tx.actor.check(JOBS_READ)
    rows = await store.list_newest_first(tx, status, routine, decode_cursor(cursor, UUID), limit + 1)
    return page(rows, limit, lambda job: job.id)


async def access(tx: Tx, job_id: UUID) -> JobDetail:
    tx.actor.check(JOBS_READ)
    job = await store.find(tx, job_id)
    if job is None:
        raise JobNotFound
    failures = await store.failures(tx, job_id)
    if not tx.actor.may(JOBS_MANAGE):  # a traceback shows more than what failed
        failures = [msgspec.structs.replace(failure, detail="") for failure in failures]
    return JobDetail(**msgspec.structs.asdict(job), failures=failures)


async def retry(tx: Tx, job_id: UUID) -> JobDetail:
    tx.actor.check(JOBS_MANAGE)
    before = await access(tx, job_id)
    if not await store.retry(tx, job_id):
        raise JobNotRetryable(conflict={"id": str(job_id), "status": before.status})
    return await access(tx, job_id)


async def cancel(tx: Tx, job_id: UUID) -> JobDetail:
    tx.actor.check(JOBS_MANAGE)
    before = await access(tx, job_id)
    if not await cancel_job(tx, job_id):
        raise JobNotCancellable(conflict={"id": str(job_id), "status": before.status})
    return await access(tx, job_id)


async def list_marks(tx: Tx, cursor: str | None, limit: int) -> Page[Mark]:
    tx.actor.check(JOBS_READ)
    rows = await store.list_marks(tx, decode_cursor(cursor, UUID), limit + 1)
    return page(rows, limit, lambda mark: mark.id)


async def retry_mark(tx: Tx, kind: str, key: str) -> None:
    tx.actor.check(JOBS_MANAGE)
    if not await store.make_marks_due(tx, kind, key):
        raise MarkNotFound
    await store.wake_marks(tx, kind)


async def keep_failed_mark(
    tx: Tx, mark: TakenMark, error: Exception, max_attempts: int | None, give_up: Work | None = None
) -> None:
    """Leave a mark whose rebuild failed for a later try, with why; for none where it has been tried often enough."""
    attempts = mark.attempts + 1
    reason = f"{type(error).__name__}: {error}"[:ERROR_CHARACTERS].replace("\x00", "")
    is_last = max_attempts is not None and attempts >= max_attempts
    wait = None if is_last else wait_before_retry(attempts)
    await store.keep_failed_mark(tx, mark, attempts, reason, wait)
    if is_last and give_up is not None:
        await give_up(tx, mark.key, reason)
    await notify(tx, "marks")
