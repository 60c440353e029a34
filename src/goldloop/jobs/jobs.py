"""The periodic job that prunes the job table."""

from datetime import timedelta

from goldloop.jobs import store
from goldloop.kit.db import Database
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
