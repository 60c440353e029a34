"""What waits for whoever runs the workspace: jobs that were given up after their last try."""

from goldloop.jobs import store
from goldloop.jobs.events import JOBS
from goldloop.jobs.model import JobStatus
from goldloop.jobs.permissions import JOBS_MANAGE, JOBS_READ
from goldloop.kit.db import Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind


@kind(
    "jobs",
    label="Failed jobs",
    permissions=(JOBS_MANAGE, JOBS_READ),
    topic=JOBS,
    path="/settings/jobs?status=failed",
)
async def count_failed(tx: Tx) -> Waiting:
    return Waiting(await store.count(tx, JobStatus.FAILED, MOST_COUNTED + 1))
