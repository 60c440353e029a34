"""SQL of jobs and marks. What a request may ask for goes through functions that know only the transaction's own tenant; what
takes a `connection` is for the worker, across tenants. The only writer of `marks` and `job_failures`."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.jobs.model import Job, JobError, JobFailure, JobStatus, Mark
from goldloop.jobs.words import ROUTINE, title_of_mark, words_of_job
from goldloop.kit.db import Actor, Tx
from goldloop.kit.pagination import FIRST_ID, LAST_ID, Rows, bytes_of, within_bytes
from goldloop.tenants.parties.store import Parties, find_parties

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
    words = words_of_job(row["name"])
    return Job(
        id=row["id"],
        name=row["name"],
        title=words.title,
        routine=words.routine,
        status=JobStatus(row["status"]),
        args=row["args"],
        attempts=row["attempts"],
        max_attempts=row["max_attempts"],
        queued_at=row["queued_at"],
        scheduled_at=row["scheduled_at"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        error=error,
        advice=words.advice if row["status"] == JobStatus.FAILED else None,
        actor=parties[_actor(row)],
    )


_JOBS = f"""
    SELECT j.id, j.name, j.status, j.args, j.attempts, j.max_attempts, j.actor, j.queued_at, j.scheduled_at,
           j.started_at, j.finished_at, j.error_type, j.error_message, j.error_at,
           {bytes_of("j.args", "j.error_message")}
    FROM list_jobs($1, $2, $3, $4, $5, $6) j ORDER BY j.id DESC
"""


async def find(tx: Tx, job_id: UUID) -> Job | None:
    rows = await tx.fetch(_JOBS, job_id, None, LAST_ID, 1, None, None)
    parties = await find_parties(tx, map(_actor, rows))
    return next((from_row(row, parties) for row in rows), None)


async def list_newest_first(
    tx: Tx, status: JobStatus | None, routine: bool | None, before: UUID | None, limit: int
) -> Rows[Job]:
    """Routine ones alone, or none of them, unless `routine` is None."""
    names, but = (ROUTINE if routine is True else None), (ROUTINE if routine is False else None)
    statuses = _STATUSES.get(status, [status]) if status else None
    rows = await tx.fetch(within_bytes(_JOBS), None, statuses, before or LAST_ID, limit, names, but)
    parties = await find_parties(tx, map(_actor, rows))
    return Rows.read(rows, lambda row: from_row(row, parties))


async def count(tx: Tx, status: JobStatus, most: int) -> int:
    """How many jobs are in a status, counted up to `most`."""
    counted: int = await tx.fetchval("SELECT count_jobs($1, $2)", _STATUSES.get(status, [status]), most)
    return counted


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
    return [Mark(**row, title=title_of_mark(row["kind"])) for row in rows]


async def list_given_up(tx: Tx, kinds: Sequence[str], limit: int) -> list[Mark]:
    """Marks that nobody tries any more."""
    rows = await tx.fetch(
        f"""
        SELECT m.id, m.kind, m.key, m.marked_at, m.due_at, m.attempts, m.last_error FROM marks m
        WHERE m.tenant_id = $1 AND m.kind = ANY ($2) AND m.due_at = 'infinity' ORDER BY m.kind, m.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        list(kinds),
    )
    return [Mark(**row, title=title_of_mark(row["kind"])) for row in rows]


async def make_marks_due(tx: Tx, kind: str, key: str) -> int:
    """Makes marks due at once that wait for a retry."""
    return await tx.execute(
        "UPDATE marks SET due_at = now() WHERE tenant_id = $1 AND kind = $2 AND key = $3",
        tx.actor.tenant_id,
        kind,
        key,
    )


async def wake_marks(tx: Tx, kind: str) -> None:
    """Tell the workers that marks of a kind are due."""
    await tx.execute("SELECT pg_notify('goldloop_marks', $1)", kind)


class TakenMark(NamedTuple):
    """A mark to rebuild, locked by the transaction or (`leased_until`) leased."""

    tenant_id: UUID
    id: UUID
    key: str
    attempts: int
    leased_until: datetime | None


async def list_due_kinds(connection: Any, kinds: Sequence[str]) -> list[str]:
    """Those of which some tenant has a mark that is due."""
    rows = await connection.fetch(
        """
        SELECT k.kind FROM unnest($1::text[]) AS k (kind)
        WHERE EXISTS (SELECT FROM marks m WHERE m.kind = k.kind AND m.due_at <= clock_timestamp()
                      AND (m.leased_until IS NULL OR m.leased_until <= clock_timestamp()))
        """,
        list(kinds),
    )
    return [row["kind"] for row in rows]


async def take_marks(
    connection: Any, kind: str, after_tenant: UUID, cap: int, at_once: int
) -> list[TakenMark]:
    """All of one tenant."""
    rows = await connection.fetch(
        "SELECT tenant_id, id, key, attempts, NULL::timestamptz AS leased_until FROM take_marks($1, $2, $3, $4)",
        kind,
        after_tenant,
        cap,
        at_once,
    )
    return [TakenMark(*row) for row in rows]


async def lease_mark(
    connection: Any, kind: str, after_tenant: UUID, cap: int, lease: timedelta, without: Sequence[UUID]
) -> TakenMark | None:
    """Of a tenant that is not among those `without`."""
    row = await connection.fetchrow(
        "SELECT tenant_id, id, key, attempts, leased_until FROM lease_mark($1, $2, $3, $4, $5)",
        kind,
        after_tenant,
        cap,
        lease,
        list(without),
    )
    return TakenMark(*row) if row else None


async def begin_rebuild(connection: Any, actor: Actor, *, durable: bool) -> Tx:
    """The transaction that took marks goes on as an actor's, from a savepoint; in one message."""
    commit = "" if durable else "; SET LOCAL synchronous_commit = off"
    await connection.execute(f"{actor.settings_sql()}{commit}; SAVEPOINT rebuild")
    return Tx(connection=connection, actor=actor)


async def keep_rebuilt(tx: Tx) -> None:
    """What was rebuilt until now stays, whatever becomes of the next."""
    await tx.execute("SAVEPOINT rebuild")


async def undo_rebuild(tx: Tx) -> None:
    """Back to where the rebuild began; the mark stays locked."""
    await tx.execute("ROLLBACK TO SAVEPOINT rebuild")


async def keep_failed_mark(
    tx: Tx, mark: TakenMark, attempts: int, error: str, wait: timedelta | None
) -> None:
    """To be tried again after `wait`; never, where that is None."""
    await tx.execute(
        """
        UPDATE marks SET attempts = $3, last_error = $4, leased_until = NULL,
            due_at = coalesce(clock_timestamp() + $5, 'infinity')
        WHERE tenant_id = $1 AND id = $2 AND ($6::timestamptz IS NULL OR leased_until = $6)
        """,
        mark.tenant_id,
        mark.id,
        attempts,
        error,
        wait,
        mark.leased_until,
    )


async def delete_marks(tx: Tx, marks: Sequence[TakenMark]) -> None:
    """Those that the transaction has locked."""
    await tx.execute(
        "DELETE FROM marks WHERE tenant_id = $1 AND id = ANY ($2)",
        marks[0].tenant_id,
        [mark.id for mark in marks],
    )


async def delete_leased_mark(tx: Tx, mark: TakenMark) -> None:
    """Unless the lease ran out and somebody else has it now: then it is theirs to delete."""
    await tx.execute(
        "DELETE FROM marks WHERE tenant_id = $1 AND id = $2 AND leased_until = $3",
        mark.tenant_id,
        mark.id,
        mark.leased_until,
    )


async def record_failure(tx: Tx, job_id: int, attempt: int, error: tuple[str, str, str]) -> None:
    """`error` is its type, its message and the traceback."""
    await tx.execute(
        """
        INSERT INTO procrastinate.job_failures (job_id, attempt, type, message, detail)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (job_id, attempt) DO UPDATE
            SET at = now(), type = excluded.type, message = excluded.message, detail = excluded.detail
        """,
        job_id,
        attempt,
        *error,
    )


async def sweep(connection: Any, heartbeat: timedelta, longest: timedelta) -> list[Any]:
    """Take jobs back from workers that died or hang; a row for each."""
    rows: list[Any] = await connection.fetch(
        "SELECT id, tenant_id, name, requeued, outcome FROM sweep_jobs($1, $2)", heartbeat, longest
    )
    return rows


async def prune(connection: Any, good: timedelta, bad: timedelta, limit: int) -> int:
    """Delete jobs that ended long ago; how many."""
    gone: int = await connection.fetchval("SELECT prune_jobs($1, $2, $3)", good, bad, limit)
    return gone


async def count_open_jobs(connection: Any, most: int) -> list[Any]:
    """Jobs of all tenants that wait, are due or run, by name; counted among the `most` first that are open."""
    rows: list[Any] = await connection.fetch(
        """
        SELECT name, state, count(*)::integer AS count FROM (
            SELECT task_name AS name, CASE WHEN status = 'doing' THEN 'running' WHEN scheduled_at > now() THEN 'waiting'
                                           ELSE 'due' END AS state
            FROM procrastinate.procrastinate_jobs WHERE status IN ('todo', 'doing') LIMIT $1
        ) open GROUP BY name, state
        """,
        most,
    )
    return rows


async def oldest_due_jobs(connection: Any, queues: Sequence[str], most: int) -> dict[str, float]:
    """For how many seconds the oldest job of each queue has been due. One that was queued for no time has been so since: the
    first of them is the oldest."""
    rows = await connection.fetch(
        """
        WITH due AS (
            SELECT queue_name, id, scheduled_at FROM procrastinate.procrastinate_jobs
            WHERE status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now()) LIMIT $2
        )
        SELECT q.name, greatest(0, extract(epoch FROM now() - least(
            (SELECT min(scheduled_at) FROM due WHERE queue_name = q.name),
            (SELECT min(e.at) FROM procrastinate.procrastinate_events e WHERE e.type = 'deferred' AND e.job_id = (
                SELECT min(id) FROM due WHERE queue_name = q.name AND scheduled_at IS NULL))
        )))::float AS seconds
        FROM unnest($1::text[]) AS q (name)
        """,
        list(queues),
        most,
    )
    return {row["name"]: row["seconds"] or 0.0 for row in rows}


async def count_all_marks(connection: Any, most: int) -> list[Any]:
    """Marks of all tenants by kind and state, with how long the oldest has been due; counted among `most`."""
    rows: list[Any] = await connection.fetch(
        """
        SELECT kind, state, count(*)::integer AS count,
               CASE state WHEN 'due' THEN greatest(0, extract(epoch FROM clock_timestamp() - min(due_at))) END::float AS seconds
        FROM (
            SELECT kind, due_at,
                   CASE WHEN due_at = 'infinity' THEN 'given_up' WHEN leased_until > clock_timestamp() THEN 'running'
                        WHEN due_at <= clock_timestamp() THEN 'due' WHEN attempts > 0 THEN 'failing' ELSE 'waiting' END AS state
            FROM marks LIMIT $1
        ) m GROUP BY kind, state
        """,
        most,
    )
    return rows
