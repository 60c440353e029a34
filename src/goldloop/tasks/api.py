"""Routes of tasks: `/api/tasks`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import JSONBody

from goldloop.entities.model import EntityTypeNotFound, VersionConflict
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.wire_types import Name, Object, Version
from goldloop.limits.model import RUN_REFUSALS
from goldloop.sessions.model import NoRuntime, Session, SessionExists
from goldloop.sessions.permissions import SESSIONS_CREATE, SESSIONS_READ
from goldloop.tasks import service
from goldloop.tasks.model import Schedule, Task, TaskExists, TaskManaged, TaskNotFound, TaskSwitchedOff
from goldloop.tasks.permissions import TASKS_MANAGE, TASKS_READ, TASKS_RUN
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentNotFound

AgentName = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
KindName = Annotated[str, msgspec.Meta(min_length=1, max_length=63)]


class NewTask(Wire, frozen=True):
    """`config` is what the kind needs: `prompt` takes a `message`, `populate_fields` what `POST /api/populate` does, `eval_run`
    what `POST /api/admin/evals/runs/set` does. Without an `agent` the kind's own."""

    name: Name
    kind: KindName
    agent: AgentName | None = None
    config: Object = msgspec.field(default_factory=dict)
    schedule: Schedule | None = None
    enabled: bool = True
    id: UUID | None = None


class TaskChange(Wire, frozen=True):
    """What is left out stays as it is; without a schedule (null) a task runs by hand alone. `version` is the one that the
    editor read."""

    version: Version | None = None
    name: Name | msgspec.UnsetType = msgspec.UNSET
    agent: AgentName | msgspec.UnsetType = msgspec.UNSET
    config: Object | msgspec.UnsetType = msgspec.UNSET
    schedule: Schedule | msgspec.UnsetType | None = msgspec.UNSET
    enabled: bool | msgspec.UnsetType = msgspec.UNSET


class TaskRun(Wire, frozen=True):
    id: UUID | None = None


@post(
    "/",
    opt=needs(TASKS_MANAGE, TASKS_READ),
    responses=problems(TaskExists, AgentNotFound, NoRuntime, body=True),
    summary="Make a task, with a schedule or to be run by hand",
)
async def create_task(data: JSONBody[NewTask], db: Db, actor: Who) -> Task:
    async with db.tx(actor) as tx:
        return await service.create(tx, service.NewTask(**msgspec.structs.asdict(data)))


@get("/", opt=needs(TASKS_READ), responses=problems(), summary="List tasks, newest first")
async def list_tasks(db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None) -> Page[Task]:
    async with db.tx(actor) as tx:
        return await service.list_tasks(tx, cursor, limit)


@get("/{task_id:uuid}", opt=needs(TASKS_READ), responses=problems(TaskNotFound), summary="Show a task")
async def show_task(task_id: PathId, db: Db, actor: Who) -> Task:
    async with db.tx(actor) as tx:
        return await service.access(tx, task_id)


@patch(
    "/{task_id:uuid}",
    opt=needs(TASKS_MANAGE, TASKS_READ),
    responses=problems(TaskNotFound, VersionConflict, AgentNotFound, NoRuntime, TaskManaged, body=True),
    summary="Change a task, its schedule, or switch it on or off",
)
async def change_task(task_id: PathId, data: JSONBody[TaskChange], db: Db, actor: Who) -> Task:
    named = {
        name: value
        for name, value in msgspec.structs.asdict(data).items()
        if value is not msgspec.UNSET and name != "version"
    }
    async with db.tx(actor) as tx:
        return await service.change(tx, task_id, data.version, named)


@delete(
    "/{task_id:uuid}",
    opt=needs(TASKS_MANAGE, TASKS_READ),
    responses=problems(TaskNotFound),
    summary="Delete a task; its sessions stay",
)
async def remove_task(task_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove(tx, task_id)


@post(
    "/{task_id:uuid}/run",
    opt=needs(TASKS_RUN, TASKS_READ, SESSIONS_CREATE, SESSIONS_READ),
    responses=problems(
        TaskNotFound,
        AgentNotFound,
        NoRuntime,
        SessionExists,
        EntityTypeNotFound,
        TaskSwitchedOff,
        *RUN_REFUSALS,
        body=True,
    ),
    summary="Run a task now",
)
async def run_task(task_id: PathId, data: JSONBody[TaskRun], db: Db, actor: Who) -> Session:
    async with db.tx(actor) as tx:
        return await service.run(tx, task_id, data.id)


router = Router(
    "/api/tasks",
    route_handlers=[create_task, list_tasks, show_task, change_task, remove_task, run_task],
    tags=["tasks"],
)
