"""What waits for whoever runs the workspace: tasks that were due and could not be started."""

from goldloop.kit.db import Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind
from goldloop.tasks import store
from goldloop.tasks.events import TASKS
from goldloop.tasks.permissions import TASKS_MANAGE, TASKS_READ


@kind(
    "tasks",
    label="Tasks that did not start",
    permissions=(TASKS_MANAGE, TASKS_READ),
    topic=TASKS,
    path="/tasks",
)
async def count_not_started(tx: Tx) -> Waiting:
    return Waiting(await store.count_with_problem(tx, MOST_COUNTED + 1))
