"""Use cases: have a workspace's storage measured, and keep what was found."""

from goldloop.kit.db import Tx
from goldloop.kit.queue import enqueue
from goldloop.limits.permissions import LIMITS_MANAGE
from goldloop.storage import store
from goldloop.storage.model import MeasureQueued

JOB = "storage.measure"


async def request(tx: Tx) -> MeasureQueued:
    tx.actor.check(LIMITS_MANAGE)
    return MeasureQueued(job_id=await enqueue(tx, JOB, {}))


async def measure_rows(tx: Tx) -> int:
    """In bytes, over all tables."""
    return sum([await store.measure_rows(tx, table) for table in await store.tables(tx)])
