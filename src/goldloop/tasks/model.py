"""Types and errors of tasks."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, NotFound
from goldloop.sessions.model import LastSession
from goldloop.tenants.model import Party


class TaskNotFound(NotFound):
    code, title = "task_not_found", "There is no such task in this workspace"


class TaskExists(Conflict):
    code, title = "task_exists", "A task with this id exists with other content"


class TaskManaged(Conflict):
    code, title = "task_managed", "A setting of the workspace makes and ends this task, and nobody changes it"


class TaskSwitchedOff(Conflict):
    code, title = "task_switched_off", "A setting of the workspace has tasks of this kind switched off"


class StillRunning(Conflict):
    code, title = "task_still_running", "The last run of this task is not over yet"


class Schedule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cron` has five fields (minute, hour, day of the month, month, day of the week), read by the clock of `timezone`."""

    cron: Annotated[str, msgspec.Meta(min_length=9, max_length=200)]
    timezone: Annotated[str, msgspec.Meta(min_length=1, max_length=100)] = "UTC"


class TaskProblem(msgspec.Struct, frozen=True, kw_only=True):
    """Why the schedule could not start a session when it was due last."""

    code: str
    message: str
    at: datetime


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """Work for an agent. `config` is what its kind needs; `next_at` is when it is due next by its schedule, null where it
    has none or is not enabled. `problem` is there where the last time due made no session."""

    id: UUID
    name: str
    kind: str
    agent_id: UUID
    agent: str
    config: dict[str, Any]
    schedule: Schedule | None
    enabled: bool
    next_at: datetime | None
    last_session: LastSession | None
    problem: TaskProblem | None
    version: int
    created_at: datetime
    created_by: Party
    updated_at: datetime
