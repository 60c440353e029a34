"""SQL of runs. The only writer of `runs`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.jobs.model import Run, RunStatus
from goldloop.kit.db import Tx
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_OPEN = "('queued', 'running')"
COLUMNS = f"""
    r.id, r.kind, r.subject, r.status, r.job_id, r.resume_point, r.done, r.total, r.cancel_requested,
    r.error_code, r.error_message, r.created_at, r.started_at, r.ended_at, r.created_by_kind, r.created_by_id,
    {name_sql("$1", "r.created_by_kind", "r.created_by_id")} AS created_by_name
"""
_SELECT = f"SELECT {COLUMNS} FROM runs r WHERE r.tenant_id = $1"


def from_row(row: Any) -> Run:
    return Run(
        id=row["id"],
        kind=row["kind"],
        subject=row["subject"],
        status=RunStatus(row["status"]),
        job_id=row["job_id"],
        resume_point=row["resume_point"],
        done=row["done"],
        total=row["total"],
        cancel_requested=row["cancel_requested"],
        error_code=row["error_code"],
        error_message=row["error_message"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


async def insert(
    tx: Tx,
    kind: str,
    run_id: UUID,
    job_id: UUID,
    subject: str,
    exclusive: bool,
    total: int,
    resume_point: Any,
) -> bool:
    """False when the id is taken, or an exclusive run of the subject is open."""
    return bool(
        await tx.execute(
            """
            INSERT INTO runs (tenant_id, id, kind, job_id, subject, exclusive, total, resume_point, created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            run_id,
            kind,
            job_id,
            subject,
            exclusive,
            total,
            resume_point,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def set_job(tx: Tx, run_id: UUID, job_id: UUID) -> None:
    changed = await tx.execute(
        "UPDATE runs SET job_id = $3 WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, run_id, job_id
    )
    if changed != 1:  # a run that does not know its job would not end with it
        raise RuntimeError(f"no row of the run {run_id} may be changed here")


async def reopen(tx: Tx, run_id: UUID) -> bool:
    """From failed or cancelled to queued. False for any other run."""
    return bool(
        await tx.execute(
            """
            UPDATE runs SET status = 'queued', ended_at = NULL, error_code = NULL, error_message = NULL, cancel_requested = false
            WHERE tenant_id = $1 AND id = $2 AND status IN ('failed', 'cancelled')
            """,
            tx.actor.tenant_id,
            run_id,
        )
    )


async def find(tx: Tx, run_id: UUID) -> Run | None:
    row = await tx.fetchrow(f"{_SELECT} AND r.id = $2", tx.actor.tenant_id, run_id)
    return from_row(row) if row else None


async def find_by_job(tx: Tx, job_id: UUID) -> Run | None:
    row = await tx.fetchrow(f"{_SELECT} AND r.job_id = $2", tx.actor.tenant_id, job_id)
    return from_row(row) if row else None


async def find_open(tx: Tx, kind: str, subject: str) -> Run | None:
    """The open run of a subject whose kind is exclusive."""
    row = await tx.fetchrow(
        f"{_SELECT} AND r.kind = $2 AND r.subject = $3 AND r.exclusive AND r.status IN {_OPEN}",
        tx.actor.tenant_id,
        kind,
        subject,
    )
    return from_row(row) if row else None


async def lock(tx: Tx, run_id: UUID) -> Run | None:
    """The run, which nobody else changes until the transaction ends."""
    row = await tx.fetchrow(f"{_SELECT} AND r.id = $2 FOR NO KEY UPDATE OF r", tx.actor.tenant_id, run_id)
    return from_row(row) if row else None


async def start(tx: Tx, run_id: UUID, at: datetime) -> None:
    await tx.execute(
        """
        UPDATE runs SET status = 'running', started_at = $3
        WHERE tenant_id = $1 AND id = $2 AND status = 'queued'
        """,
        tx.actor.tenant_id,
        run_id,
        at,
    )


async def advance(tx: Tx, run: Run, done: int, resume_point: Any, total: int) -> bool:
    return bool(
        await tx.execute(
            """
            UPDATE runs SET done = $3, resume_point = $4, total = $6
            WHERE tenant_id = $1 AND id = $2 AND status = 'running' AND resume_point IS NOT DISTINCT FROM $5
            """,
            tx.actor.tenant_id,
            run.id,
            done,
            resume_point,
            run.resume_point,
            max(total, done),
        )
    )


async def request_cancel(tx: Tx, run_id: UUID) -> None:
    await tx.execute(
        "UPDATE runs SET cancel_requested = true WHERE tenant_id = $1 AND id = $2 AND status = 'running'",
        tx.actor.tenant_id,
        run_id,
    )


async def end(
    tx: Tx, run_id: UUID, status: RunStatus, at: datetime, code: str | None, message: str | None
) -> bool:
    """False for a run that is over. One that is done had as much to do as it did."""
    return bool(
        await tx.execute(
            f"""
            UPDATE runs SET status = $3, ended_at = $4, error_code = $5, error_message = $6,
                total = CASE WHEN $3 = 'done' THEN done ELSE total END
            WHERE tenant_id = $1 AND id = $2 AND status IN {_OPEN}
            """,
            tx.actor.tenant_id,
            run_id,
            str(status),
            at,
            code,
            message,
        )
    )
