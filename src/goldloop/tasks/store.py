"""SQL of tasks. The only writer of `tasks`."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.sessions.model import LastSession
from goldloop.tasks.model import Schedule, Task, TaskProblem
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_COLUMNS = f"""
    t.id, t.name, t.kind, t.agent_id, t.agent, t.config, t.schedule, t.enabled, t.next_at, t.job_id, t.problem, t.version,
    t.created_at, t.updated_at, t.created_by_kind, t.created_by_id,
    {name_sql("$1", "t.created_by_kind", "t.created_by_id")} AS created_by_name,
    (SELECT jsonb_build_object('id', s.id, 'status', s.status, 'created_at', s.created_at, 'ended_at', s.ended_at)
     FROM sessions s WHERE s.tenant_id = $1 AND s.task_id = t.id ORDER BY s.created_at DESC, s.id DESC LIMIT 1
    ) AS last_session
"""


class Definition(NamedTuple):
    """What whoever makes or changes a task says about it."""

    name: str
    kind: str
    agent_id: UUID
    agent: str
    config: dict[str, Any]
    schedule: Schedule | None
    enabled: bool


def definition_of(task: Task) -> Definition:
    return Definition(*(getattr(task, name) for name in Definition._fields))


class Locked(NamedTuple):
    """A task that nobody else changes until the transaction ends, and the job that is queued for its next run."""

    task: Task
    job_id: UUID | None


def from_row(row: Any) -> Task:
    return Task(
        id=row["id"],
        name=row["name"],
        kind=row["kind"],
        agent_id=row["agent_id"],
        agent=row["agent"],
        config=row["config"],
        schedule=msgspec.convert(row["schedule"], Schedule | None),
        enabled=row["enabled"],
        next_at=row["next_at"],
        last_session=msgspec.convert(row["last_session"], LastSession | None),
        problem=msgspec.convert(row["problem"], TaskProblem | None),
        version=row["version"],
        created_at=row["created_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
        updated_at=row["updated_at"],
    )


def _stored(value: Schedule | TaskProblem | None) -> Any:
    return None if value is None else msgspec.to_builtins(value)


async def insert(tx: Tx, task_id: UUID, new: Definition) -> bool:
    """False when the id is taken."""
    return bool(
        await tx.execute(
            """
            INSERT INTO tasks (tenant_id, id, name, kind, agent_id, agent, config, schedule, enabled, created_by_kind,
                created_by_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            task_id,
            new.name,
            new.kind,
            new.agent_id,
            new.agent,
            new.config,
            _stored(new.schedule),
            new.enabled,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def find(tx: Tx, task_id: UUID) -> Task | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM tasks t WHERE t.tenant_id = $1 AND t.id = $2", tx.actor.tenant_id, task_id
    )
    return from_row(row) if row else None


async def lock(tx: Tx, task_id: UUID) -> Locked | None:
    await tx.execute(
        "SELECT FROM tasks WHERE tenant_id = $1 AND id = $2 FOR UPDATE", tx.actor.tenant_id, task_id
    )
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM tasks t WHERE t.tenant_id = $1 AND t.id = $2", tx.actor.tenant_id, task_id
    )
    return Locked(from_row(row), row["job_id"]) if row else None


async def find_by_job(tx: Tx, job_id: UUID) -> UUID | None:
    """The task whose next run a job is to start."""
    found: UUID | None = await tx.fetchval(
        "SELECT t.id FROM tasks t WHERE t.tenant_id = $1 AND t.job_id = $2", tx.actor.tenant_id, job_id
    )
    return found


async def switch_all_off(tx: Tx) -> None:
    await tx.execute(
        "UPDATE tasks SET enabled = false, version = version + 1 WHERE tenant_id = $1 AND enabled",
        tx.actor.tenant_id,
    )


async def list_newest_first(tx: Tx, before: tuple[object, UUID], limit: int) -> Rows[Task]:
    query = f"""
        SELECT {_COLUMNS}, {bytes_of("t.config")} FROM tasks t
        WHERE t.tenant_id = $1 AND (t.created_at, t.id) < ($2, $3)
        ORDER BY t.created_at DESC, t.id DESC LIMIT {limit:d}
    """
    return Rows.read(await tx.fetch(within_bytes(query), tx.actor.tenant_id, *before), from_row)


async def update(tx: Tx, task_id: UUID, changed: Definition) -> None:
    await tx.execute(
        """
        UPDATE tasks SET name = $3, agent_id = $4, agent = $5, config = $6, schedule = $7, enabled = $8, problem = NULL,
            version = version + 1, updated_at = now()
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        task_id,
        changed.name,
        changed.agent_id,
        changed.agent,
        changed.config,
        _stored(changed.schedule),
        changed.enabled,
    )


async def set_next(tx: Tx, task_id: UUID, next_at: datetime | None, job_id: UUID | None) -> None:
    await tx.execute(
        "UPDATE tasks SET next_at = $3, job_id = $4 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        task_id,
        next_at,
        job_id,
    )


async def set_problem(tx: Tx, task_id: UUID, problem: TaskProblem | None) -> None:
    await tx.execute(
        "UPDATE tasks SET problem = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        task_id,
        _stored(problem),
    )


async def count_with_problem(tx: Tx, most: int) -> int:
    """Counts no further than `most`."""
    counted: int = await tx.fetchval(
        """
        SELECT count(*) FROM (
            SELECT FROM tasks t WHERE t.tenant_id = $1 AND t.problem IS NOT NULL AND t.enabled LIMIT $2
        ) found
        """,
        tx.actor.tenant_id,
        most,
    )
    return counted


async def delete(tx: Tx, task_id: UUID) -> None:
    await tx.execute("DELETE FROM tasks WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, task_id)
