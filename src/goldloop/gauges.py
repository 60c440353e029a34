"""Reads the gauges of a process: its queue, its pool, its feed. A composition root.

Only when somebody asks, and at most once in a few seconds however many do: nothing is counted while nobody looks. Of several
processes behind one port, whichever is asked answers for all: what is of a process has its name as a label, the queue is once.
"""

import asyncio
import logging
import math
import time
from dataclasses import dataclass, field

from goldloop.jobs import store as jobs
from goldloop.kit import metrics
from goldloop.kit.db import WORKER_ROLE, Database
from goldloop.kit.expositions import merge
from goldloop.kit.metrics import Readings
from goldloop.kit.queue import DEFAULT_QUEUE, JOBS, LONG_QUEUE, MARKS, PERIODIC
from goldloop.kit.siblings import Siblings
from goldloop.live.feed import Feed

log = logging.getLogger("goldloop")

FRESH_SECONDS = 5.0  # shorter than the intervals at which metrics are scraped
PATIENCE_SECONDS = 3.0  # a database that takes longer is down, as far as metrics are concerned
LAG = "goldloop_event_lag_seconds"  # of a process, though the database has to be asked for it
MOST_COUNTED = 100_000  # rows of the queue; more are too many, however many they are


@dataclass(slots=True)
class Gauges:
    db: Database
    feed: Feed
    siblings: Siblings | None = None
    fresh_seconds: float = FRESH_SECONDS
    _read: Readings = field(default_factory=dict)
    _read_at: float = -math.inf  # never: the clock of a machine may begin when it is switched on
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def exposition(self) -> bytes:
        async with self._lock:
            if time.monotonic() - self._read_at >= self.fresh_seconds:
                self._read = await self._of_database()
                self._read_at = time.monotonic()
        if self.siblings is None:
            return metrics.exposition({**self._read, **self._of_process()})
        shared = {name: values for name, values in self._read.items() if name != LAG}
        lag = {name: values for name, values in self._read.items() if name == LAG}
        own = metrics.exposition({**lag, **self._of_process()})
        return merge({self.siblings.own: own, **await self.siblings.ask()}) + metrics.readings_exposition(
            shared
        )

    async def own_exposition(self) -> bytes:
        """What a sibling is told: of this process alone."""
        return metrics.exposition({**await self._of_lag(), **self._of_process()})

    async def _of_lag(self) -> Readings:
        try:
            async with (
                asyncio.timeout(PATIENCE_SECONDS),
                self.db.in_role(WORKER_ROLE).anonymous() as connection,
            ):
                return {LAG: {(): await self.feed.lag(connection)}}
        except Exception as error:  # as above
            log.warning("the lag of events could not be read from the database: %s", error)
            return {}

    def _of_process(self) -> Readings:
        pool = self.db.pool
        idle = pool.get_idle_size()
        return {
            "goldloop_listening": {(): float(self.feed.listening)},
            "goldloop_pool_connections": {("idle",): idle, ("in_use",): pool.get_size() - idle},
            "goldloop_pool_most_connections": {(): pool.get_max_size()},
            "goldloop_background_tasks": {(): len(asyncio.all_tasks())},
        }

    async def _of_database(self) -> Readings:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return {"goldloop_database_up": {(): 1.0}, **await self._of_queue()}
        except Exception as error:  # the rest of the metrics is there all the same
            log.warning("gauges could not be read from the database: %s", error)
            return {"goldloop_database_up": {(): 0.0}}

    async def _of_queue(self) -> Readings:
        """Every name and kind has a number, 0 where there is none: a line that ends is no line at 0."""
        async with self.db.in_role(WORKER_ROLE).anonymous() as connection:
            open_jobs = await jobs.count_open_jobs(connection, MOST_COUNTED)
            oldest = await jobs.oldest_due_jobs(connection, [DEFAULT_QUEUE, LONG_QUEUE], MOST_COUNTED)
            marks = await jobs.count_all_marks(connection, MOST_COUNTED)
            lag = await self.feed.lag(connection)
        return {
            "goldloop_queued_jobs": {(name, "due"): 0 for name in (*JOBS, *PERIODIC)}
            | {(row["name"], row["state"]): row["count"] for row in open_jobs},
            "goldloop_oldest_due_job_seconds": {(queue,): seconds for queue, seconds in oldest.items()},
            "goldloop_queued_marks": {(kind, "due"): 0 for kind in MARKS}
            | {(row["kind"], row["state"]): row["count"] for row in marks},
            "goldloop_oldest_due_mark_seconds": {(kind,): 0.0 for kind in MARKS}
            | {(row["kind"],): row["seconds"] for row in marks if row["state"] == "due"},
            LAG: {(): lag},
        }
