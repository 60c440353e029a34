"""Housekeeping of the job table, and the end of a run with its job."""

from datetime import timedelta

from goldloop.jobs import store
from goldloop.jobs.events import ENDED
from goldloop.jobs.run_service import end_with_job
from goldloop.kit.db import Database
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import periodic

KEEP_GOOD = timedelta(days=7)
KEEP_BAD = timedelta(days=30)  # a person may come back to a failure later
BATCH = 1000


@periodic("jobs.prune", cron="43 * * * *")
async def prune(db: Database) -> None:
    """Delete jobs that ended long ago, a batch at a time."""
    while True:
        async with db.anonymous() as connection:
            gone = await store.prune(connection, KEEP_GOOD, KEEP_BAD, BATCH)
        if gone < BATCH:
            return


listen(ENDED.name, Listener(act=end_with_job))
