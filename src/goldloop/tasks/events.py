"""Events of tasks. That one runs is an event of its session."""

from goldloop.kit.events import Payload, declare, topic
from goldloop.tasks.permissions import TASKS_READ

TASKS = topic("tasks", read_by=TASKS_READ)


class OfTask(Payload, frozen=True, kw_only=True):
    kind: str


class TaskNotStarted(OfTask, frozen=True, kw_only=True):
    code: str
    message: str


CREATED = declare("task.created", topic=TASKS, subject="task", payload=OfTask, when="Somebody made a task")
CHANGED = declare(
    "task.changed",
    topic=TASKS,
    subject="task",
    payload=OfTask,
    when="A task got another name, agent, configuration or schedule, or was switched on or off",
)
REMOVED = declare(
    "task.removed", topic=TASKS, subject="task", payload=OfTask, when="A task was deleted; its sessions stay"
)
NOT_STARTED = declare(
    "task.not_started",
    topic=TASKS,
    subject="task",
    payload=TaskNotStarted,
    when="A task was due by its schedule and no session could be started, or the last one is not over",
)
