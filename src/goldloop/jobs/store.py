"""SQL of jobs and marks, through the functions that know only the transaction's own tenant."""

from typing import Any
from uuid import UUID

from goldloop.jobs.model import Job, JobError, JobFailure, JobStatus, Mark
from goldloop.kit.db import Tx
from goldloop.kit.pagination import FIRST_ID, LAST_ID, Rows, bytes_of, within_bytes
from goldloop.tenants.parties import Parties, find_parties

_STATUSES = {
    JobStatus.CANCELLED: ["cancelled", "aborted"]
}  # procrastinate tells the two apart, people do not


def _actor(row: Any) -> tuple[str, UUID | None]:
    kind, _, actor_id = (row["actor"] or "system:").partition(":")
    return kind, UUID(actor_id) if actor_id else None


def from_row(row: Any, parties: Parties) -> Job:
    error = None
    if row["error_type"]:
        error = JobError(type=row["error_type"], message=row["error_message"], at=row["error_at"])
    return Job(
        id=row["id"],
        name=row["name"],
        status=JobStatus(row["status"]),
        args=row["args"],
        attempts=row["attempts"],
        max_attempts=row["max_attempts"],
        queued_at=row["queued_at"],
        scheduled_at=row["scheduled_at"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        error=error,
        actor=parties[_actor(row)],
    )


_JOBS = f"""
    SELECT j.id, j.name, j.status, j.args, j.attempts, j.max_attempts, j.actor, j.queued_at, j.scheduled_at,
           j.started_at, j.finished_at, j.error_type, j.error_message, j.error_at,
           {bytes_of("j.args", "j.error_message")}
    FROM list_jobs($1, $2, $3, $4) j ORDER BY j.id DESC
"""


async def find(tx: Tx, job_id: UUID) -> Job | None:
    rows = await tx.fetch(_JOBS, job_id, None, LAST_ID, 1)
    parties = await find_parties(tx, map(_actor, rows))
    return next((from_row(row, parties) for row in rows), None)


async def list_newest_first(tx: Tx, status: JobStatus | None, before: UUID | None, limit: int) -> Rows[Job]:
    statuses = _STATUSES.get(status, [status]) if status else None
    rows = await tx.fetch(within_bytes(_JOBS), None, statuses, before or LAST_ID, limit)
    parties = await find_parties(tx, map(_actor, rows))
    return Rows.read(rows, lambda row: from_row(row, parties))


async def failures(tx: Tx, job_id: UUID) -> list[JobFailure]:
    rows = await tx.fetch("SELECT attempt, at, type, message, detail FROM list_job_failures($1)", job_id)
    return [JobFailure(**row) for row in rows]


async def retry(tx: Tx, job_id: UUID) -> bool:
    done: bool = await tx.fetchval("SELECT retry_job($1)", job_id)
    return done


async def cancel(tx: Tx, job_id: UUID) -> bool:
    done: bool = await tx.fetchval("SELECT cancel_job($1)", job_id)
    return done


async def list_marks(tx: Tx, after: UUID | None, limit: int) -> list[Mark]:
    rows = await tx.fetch(
        """
        SELECT id, kind, key, marked_at, due_at, attempts, last_error FROM marks
        WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3
        """,
        tx.actor.tenant_id,
        after or FIRST_ID,
        limit,
    )
    return [Mark(**row) for row in rows]


async def make_marks_due(tx: Tx, kind: str, key: str) -> int:
    """Makes marks due at once that wait for a retry."""
    return await tx.execute(
        "UPDATE marks SET due_at = now() WHERE tenant_id = $1 AND kind = $2 AND key = $3",
        tx.actor.tenant_id,
        kind,
        key,
    )
