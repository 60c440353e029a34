"""Routes of jobs and marks: `/api/jobs`, `/api/marks`."""

from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import FromQuery, JSONBody

from goldloop.jobs import service
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
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.idempotency import IdempotencyKeyReused, once
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, IdempotencyKey, Limit
from goldloop.kit.text import ID_PATTERN
from goldloop.tenants.auth.api import Who, needs


class MarkRetry(Wire, frozen=True):
    kind: Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=ID_PATTERN)]
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=ID_PATTERN)]


@get("/jobs", opt=needs(JOBS_READ), responses=problems(), summary="List jobs, newest first")
async def list_jobs(
    db: Db,
    actor: Who,
    status: FromQuery[JobStatus | None] = None,
    routine: FromQuery[bool | None] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Job]:
    async with db.tx(actor) as tx:
        return await service.list_jobs(tx, status, cursor, limit, routine=routine)


@get(
    "/jobs/{job_id:uuid}",
    opt=needs(JOBS_READ),
    responses=problems(JobNotFound),
    summary="Show a job and why it failed",
)
async def show_job(job_id: PathId, db: Db, actor: Who) -> JobDetail:
    async with db.tx(actor) as tx:
        return await service.access(tx, job_id)


@post(
    "/jobs/{job_id:uuid}/retry",
    opt=needs(JOBS_MANAGE),
    responses=problems(JobNotFound, JobNotRetryable, IdempotencyKeyReused),
    status_code=200,
    summary="Queue a failed job again",
)
async def retry_job(job_id: PathId, db: Db, actor: Who, idempotency_key: IdempotencyKey = None) -> JobDetail:
    async with db.tx(actor) as tx:
        request = ["retry_job", str(job_id)]
        return await once(tx, idempotency_key, request, JobDetail, lambda: service.retry(tx, job_id))


@post(
    "/jobs/{job_id:uuid}/cancel",
    opt=needs(JOBS_MANAGE),
    responses=problems(JobNotFound, JobNotCancellable, IdempotencyKeyReused),
    status_code=200,
    summary="Cancel a job that waits or runs",
)
async def cancel_job(job_id: PathId, db: Db, actor: Who, idempotency_key: IdempotencyKey = None) -> JobDetail:
    async with db.tx(actor) as tx:
        request = ["cancel_job", str(job_id)]
        return await once(tx, idempotency_key, request, JobDetail, lambda: service.cancel(tx, job_id))


@get("/marks", opt=needs(JOBS_READ), responses=problems(), summary="List state that waits to be rebuilt")
async def list_marks(db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None) -> Page[Mark]:
    async with db.tx(actor) as tx:
        return await service.list_marks(tx, cursor, limit)


@post(
    "/marks/retry",
    opt=needs(JOBS_MANAGE),
    responses=problems(MarkNotFound, body=True),
    status_code=204,
    summary="Rebuild now what waits for another try",
)
async def retry_mark(data: JSONBody[MarkRetry], db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.retry_mark(tx, data.kind, data.key)


router = Router(
    "/api",
    route_handlers=[list_jobs, show_job, retry_job, cancel_job, list_marks, retry_mark],
    tags=["jobs"],
)
