"""Use cases: make, change, delete and run tasks, by hand and by the clock.

The next run by a schedule is a job that is queued in the transaction which sets `next_at` and names that time. A job that
names another time than the task has does nothing, so one that comes twice, late or after a change starts nothing.
"""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from goldloop.entities.model import check_version
from goldloop.jobs.ending_service import cancel_job
from goldloop.kit.db import Tx
from goldloop.kit.errors import GoldloopError, InvalidInput
from goldloop.kit.events import Event, EventType, emit, notify
from goldloop.kit.ids import new_id
from goldloop.kit.json_equality import same_json
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.kit.queue import enqueue
from goldloop.sessions import service as sessions
from goldloop.sessions.model import Session
from goldloop.tasks import events, store
from goldloop.tasks.kind_service import TaskKind, access_kind, read_config
from goldloop.tasks.model import (
    Schedule,
    StillRunning,
    Task,
    TaskExists,
    TaskManaged,
    TaskNotFound,
    TaskProblem,
)
from goldloop.tasks.permissions import TASKS_MANAGE, TASKS_READ, TASKS_RUN
from goldloop.tasks.schedule import find_faults, next_after
from goldloop.tasks.store import Definition, Locked

JOB = "tasks.run_due"
PLANNED = 200  # tasks that are read at once


class NewTask(NamedTuple):
    """`agent` is a slug or an id; None is the agent of the kind."""

    name: str
    kind: str
    agent: str | None
    config: dict[str, Any]
    schedule: Schedule | None
    enabled: bool
    id: UUID | None = None


async def create(tx: Tx, new: NewTask, *, by_setting: bool = False) -> Task:
    """Make a task; one of a kind that is managed only for a setting of the workspace. The same create again answers with what
    is there."""
    tx.actor.check(TASKS_MANAGE)
    kind = access_kind(new.kind)
    if kind.managed and not by_setting:
        raise InvalidInput.at("/kind", "managed_task_kind", "A setting of the workspace makes such a task")
    definition = await _checked(tx, kind, new)
    task_id = new.id or new_id()
    if not await store.insert(tx, task_id, definition):
        found = await store.find(tx, task_id)
        if found is None or not _same(store.definition_of(found), definition):
            raise TaskExists(conflict={"id": str(task_id)})
        return found
    await _plan(tx, await access(tx, task_id), await tx.moment())
    made = await access(tx, task_id)
    await emit(tx, _event(events.CREATED, made))
    return made


async def access(tx: Tx, task_id: UUID) -> Task:
    tx.actor.check(TASKS_READ)
    found = await store.find(tx, task_id)
    if found is None:
        raise TaskNotFound
    return found


async def list_tasks(tx: Tx, cursor: str | None, limit: int) -> Page[Task]:
    tx.actor.check(TASKS_READ)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_newest_first(tx, before, limit + 1)
    return page(rows, limit, lambda task: (task.created_at, task.id))


async def change(tx: Tx, task_id: UUID, version: int | None, changes: dict[str, Any]) -> Task:
    """Change what is named in `changes`. What is there already, perhaps by this very change sent before, makes no new
    version."""
    tx.actor.check(TASKS_MANAGE)
    before = await _lock(tx, task_id)
    task = before.task
    if access_kind(task.kind).managed:
        raise TaskManaged(conflict={"id": str(task_id), "kind": task.kind})
    definition = await _changed(tx, task, changes)
    if _same(store.definition_of(task), definition):
        return task
    check_version("task", version, task.version)
    await store.update(tx, task_id, definition)
    if (task.schedule, task.enabled) != (definition.schedule, definition.enabled):
        await _unplan(tx, before)
        await _plan(tx, await access(tx, task_id), await tx.moment())
    changed = await access(tx, task_id)
    await emit(tx, _event(events.CHANGED, changed))
    return changed


async def remove(tx: Tx, task_id: UUID) -> None:
    """Delete a task; its sessions stay."""
    tx.actor.check(TASKS_MANAGE)
    before = await _lock(tx, task_id)
    await _unplan(tx, before)
    await store.delete(tx, task_id)
    await emit(tx, _event(events.REMOVED, before.task))


async def run(tx: Tx, task_id: UUID, session_id: UUID | None) -> Session:
    """Start a session now, whatever the schedule says, and also where the task is not enabled."""
    tx.actor.check(TASKS_RUN)
    return await _start(tx, await access(tx, task_id), session_id)


async def run_due(tx: Tx, task_id: UUID, due: datetime) -> None:
    """Start the session of a time that the schedule has, where there is anything to do, and queue the next. Raises what keeps
    it from being started."""
    task = await _lock_due(tx, task_id, due)
    if task is None:
        return
    if task.last_session is not None and not task.last_session.status.is_over:
        raise StillRunning
    kind = access_kind(task.kind)
    if await kind.has_work(tx, await read_config(tx, kind, task.config)):
        await _start(tx, task, uuid5(task.id, due.isoformat()))
    await store.set_problem(tx, task_id, None)
    await _plan(tx, task, max(due, await tx.moment()))


async def plan_all(tx: Tx, *, off: bool = False) -> None:
    """After an import, which brings tasks and not their jobs: queue the next run of each, or switch all of them off."""
    if off:
        await store.switch_all_off(tx)
    moment, before = await tx.moment(), (LAST_TIME, LAST_ID)
    while rows := await store.list_newest_first(tx, before, PLANNED):
        for task in rows:
            await _plan(tx, task, moment)
        before = (rows[-1].created_at, rows[-1].id)


async def pass_over(tx: Tx, task_id: UUID, due: datetime, why: GoldloopError) -> None:
    """Keep why a time that the schedule has made no session, and queue the next."""
    task = await _lock_due(tx, task_id, due)
    if task is not None:
        await _pass_over(tx, task, due, why.code, why.detail)


async def queue_again(tx: Tx, event: Event) -> None:
    """In the transaction that ends a job before it was done: the run that it was to start is not lost. One whose time had
    come, and that was tried until it was given up, is passed over."""
    task_id = await store.find_by_job(tx, UUID(event.subject_id))
    locked = await store.lock(tx, task_id) if task_id else None
    if locked is None or locked.job_id != UUID(event.subject_id) or locked.task.next_at is None:
        return
    task, due = locked.task, locked.task.next_at
    if due <= await tx.moment():
        await _pass_over(tx, task, due, "job_ended", "The job that was to start it ended before it did")
    else:
        await _queue(tx, task, due)


async def _pass_over(tx: Tx, task: Task, due: datetime, code: str, message: str) -> None:
    moment = await tx.moment()
    await store.set_problem(tx, task.id, TaskProblem(code=code, message=message, at=moment))
    await _plan(tx, task, max(due, moment))
    payload = events.TaskNotStarted(kind=task.kind, code=code, message=message)
    await emit(tx, events.NOT_STARTED.of(task.id, payload))


async def _lock(tx: Tx, task_id: UUID) -> Locked:
    locked = await store.lock(tx, task_id)
    if locked is None:
        raise TaskNotFound
    return locked


async def _lock_due(tx: Tx, task_id: UUID, due: datetime) -> Task | None:
    """None where the task is due at another time by now: somebody was faster, or changed it."""
    locked = await store.lock(tx, task_id)
    return locked.task if locked is not None and locked.task.next_at == due else None


async def _plan(tx: Tx, task: Task, after: datetime) -> None:
    """Queue the next run after a moment, if there is to be one."""
    due = next_after(task.schedule, after) if task.schedule and task.enabled else None
    if due is None:
        await store.set_next(tx, task.id, None, None)
    else:
        await _queue(tx, task, due)
    await notify(tx, events.TASKS, str(task.id))


async def _queue(tx: Tx, task: Task, due: datetime) -> None:
    payload = {"task_id": str(task.id), "due": due.isoformat()}
    await store.set_next(tx, task.id, due, await enqueue(tx, JOB, payload, run_at=due))


async def _unplan(tx: Tx, locked: Locked) -> None:
    """Before its job is cancelled the task has none any more, so that nobody queues it again."""
    await store.set_next(tx, locked.task.id, None, None)
    if locked.job_id is not None:
        await cancel_job(tx, locked.job_id)


async def _start(tx: Tx, task: Task, session_id: UUID | None) -> Session:
    kind = access_kind(task.kind)
    return await kind.start(tx, task, await read_config(tx, kind, task.config), session_id)


async def _checked(tx: Tx, kind: TaskKind, new: NewTask) -> Definition:
    _check_schedule(new.schedule)
    await read_config(tx, kind, new.config)
    named = new.agent or kind.default_agent
    if named is None:
        raise InvalidInput.at("/agent", "required", "A task of this kind needs an agent")
    agent, _ = await sessions.access_runnable(tx, named)
    return Definition(new.name, kind.name, agent.id, agent.slug, new.config, new.schedule, new.enabled)


async def _changed(tx: Tx, task: Task, changes: dict[str, Any]) -> Definition:
    """Only what is changed is checked: a task whose agent or type is gone can still be switched off."""
    _check_schedule(changes.get("schedule"))
    if "config" in changes:
        await read_config(tx, access_kind(task.kind), changes["config"])
    if "agent" in changes:
        agent, _ = await sessions.access_runnable(tx, changes["agent"])
        changes = changes | {"agent_id": agent.id, "agent": agent.slug}
    return store.definition_of(task)._replace(**changes)


def _check_schedule(schedule: Schedule | None) -> None:
    if schedule is not None and (faults := find_faults(schedule)):
        raise InvalidInput(errors=faults)


def _same(one: Definition, other: Definition) -> bool:
    return one._replace(config={}) == other._replace(config={}) and same_json(one.config, other.config)


def _event(happened: EventType[events.OfTask], task: Task) -> Event:
    return happened.of(task.id, events.OfTask(kind=task.kind))
