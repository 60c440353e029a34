"""Routes of jobs and marks: `/api/jobs`, `/api/marks`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get, post

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
from goldloop.kit.db import Actor, Database
from goldloop.kit.http import Wire, problems
from goldloop.kit.idempotency import IdempotencyKey, IdempotencyKeyReused, once
from goldloop.kit.pagination import DEFAULT_LIMIT, Cursor, Limit, Page
from goldloop.tenants import roles
from goldloop.tenants.auth import needs


class MarkRetry(Wire):
    kind: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


@get("/jobs", opt=needs(roles.JOBS_READ), responses=problems(), summary="List jobs, newest first")
async def list_jobs(
    db: Database,
    actor: Actor,
    status: JobStatus | None = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Job]:
    async with db.tx(actor) as tx:
        return await service.list_jobs(tx, status, cursor, limit)


@get(
    "/jobs/{job_id:uuid}",
    opt=needs(roles.JOBS_READ),
    responses=problems(JobNotFound),
    summary="Show a job and why it failed",
)
async def show_job(job_id: UUID, db: Database, actor: Actor) -> JobDetail:
    async with db.tx(actor) as tx:
        return await service.access(tx, job_id)


@post(
    "/jobs/{job_id:uuid}/retry",
    opt=needs(roles.JOBS_MANAGE),
    responses=problems(JobNotFound, JobNotRetryable, IdempotencyKeyReused),
    status_code=200,
    summary="Queue a failed job again",
)
async def retry_job(
    job_id: UUID, db: Database, actor: Actor, idempotency_key: IdempotencyKey = None
) -> JobDetail:
    async with db.tx(actor) as tx:
        request = ["retry_job", str(job_id)]
        return await once(tx, idempotency_key, request, JobDetail, lambda: service.retry(tx, job_id))


@post(
    "/jobs/{job_id:uuid}/cancel",
    opt=needs(roles.JOBS_MANAGE),
    responses=problems(JobNotFound, JobNotCancellable, IdempotencyKeyReused),
    status_code=200,
    summary="Cancel a job that waits or runs",
)
async def cancel_job(
    job_id: UUID, db: Database, actor: Actor, idempotency_key: IdempotencyKey = None
) -> JobDetail:
    async with db.tx(actor) as tx:
        request = ["cancel_job", str(job_id)]
        return await once(tx, idempotency_key, request, JobDetail, lambda: service.cancel(tx, job_id))


@get(
    "/marks", opt=needs(roles.JOBS_READ), responses=problems(), summary="List state that waits to be rebuilt"
)
async def list_marks(
    db: Database, actor: Actor, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[Mark]:
    async with db.tx(actor) as tx:
        return await service.list_marks(tx, cursor, limit)


@post(
    "/marks/retry",
    opt=needs(roles.JOBS_MANAGE),
    responses=problems(MarkNotFound, body=True),
    status_code=204,
    summary="Rebuild now what waits for another try",
)
async def retry_mark(data: MarkRetry, db: Database, actor: Actor) -> None:
    async with db.tx(actor) as tx:
        await service.retry_mark(tx, data.kind, data.key)


router = Router(
    "/api",
    route_handlers=[list_jobs, show_job, retry_job, cancel_job, list_marks, retry_mark],
    tags=["jobs"],
)
