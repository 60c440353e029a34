"""Runs jobs: procrastinate fetches them, each opens its own transaction, failures are stored with their reason. Infrastructure."""

import asyncio
import contextlib
import logging
import traceback
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import procrastinate
from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.exceptions import JobAborted
from procrastinate.job_context import AbortReason

from goldloop.jobs import store
from goldloop.jobs.ending_service import job_ended
from goldloop.jobs.model import JobStatus
from goldloop.jobs.retries import tries_again, wait_before_retry
from goldloop.kit import metrics
from goldloop.kit.db import WORKER_ROLE, Actor, ActorKind, Database, go_on_as
from goldloop.kit.events import emit, notify
from goldloop.kit.outside import Outside
from goldloop.kit.queue import (
    DEFAULT_QUEUE,
    JOBS,
    LONG_QUEUE,
    PERIODIC,
    JobDefinition,
    PeriodicDefinition,
    ports_for,
)
from goldloop.tenants import roles
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.model import Role

log = logging.getLogger("goldloop.jobs")

LONG_FACTOR = 4  # what mostly waits, at once, for each of the others
POLL_SECONDS = 2.0  # backs up the notification of a new job
HEARTBEAT_SECONDS = 2.0
HEARTBEAT_LOST = timedelta(seconds=10)  # five missed heartbeats: the worker is dead
LONGEST_JOB = timedelta(hours=1)  # older ones hang, even when their worker's heart beats
SWEEP_SECONDS = 5.0
SHUTDOWN_SECONDS = 10.0
RESTART_SECONDS = 1.0
STATUS_LAG = 0.2  # procrastinate stores a job's status just after it returns
ERROR_CHARACTERS = 2000
DETAIL_CHARACTERS = 20_000


class Backoff(BaseRetryStrategy):
    """The retry strategy: the waits of `retries.py` and the number of attempts that the job was queued with."""

    def get_retry_decision(
        self, *, exception: BaseException, job: procrastinate.jobs.Job
    ) -> RetryDecision | None:
        done = job.attempts + 1
        if not tries_again(done, int(str(job.task_kwargs.get("max_attempts", 1)))):
            return None
        return RetryDecision(retry_at=datetime.now(UTC) + wait_before_retry(done))


class JobRunner:
    def __init__(self, db: Database, url: str, concurrency: int, outside: Outside) -> None:
        self.db = db.in_role(WORKER_ROLE)
        self.outside = outside
        self.concurrency = {DEFAULT_QUEUE: concurrency, LONG_QUEUE: concurrency * LONG_FACTOR}
        self.app = procrastinate.App(
            connector=procrastinate.PsycopgConnector(
                conninfo=url,
                min_size=1,
                max_size=6,
                kwargs={"options": f"-c search_path=procrastinate -c role={WORKER_ROLE}"},
            )
        )
        self._notices: set[asyncio.Task[None]] = set()
        for definition in JOBS.values():
            self._add_job(definition)
        for periodic in PERIODIC.values():
            self._add_periodic(periodic)

    async def run(self) -> None:
        """Until cancelled. A lost database stops the worker for a moment, not for good."""
        async with _background(self._sweep_forever()):
            while True:
                try:
                    async with self.app.open_async(), asyncio.TaskGroup() as group:
                        for queue, concurrency in self.concurrency.items():
                            group.create_task(self._serve(queue, concurrency))
                except asyncio.CancelledError:
                    raise
                except Exception:
                    log.warning("the job worker lost the database and starts again", exc_info=True)
                await asyncio.sleep(RESTART_SECONDS)

    async def _serve(self, queue: str, concurrency: int) -> None:
        await self.app.run_worker_async(
            queues=[queue],
            concurrency=concurrency,
            install_signal_handlers=False,
            fetch_job_polling_interval=POLL_SECONDS,
            abort_job_polling_interval=POLL_SECONDS / 2,
            update_heartbeat_interval=HEARTBEAT_SECONDS,
            stalled_worker_timeout=HEARTBEAT_LOST.total_seconds(),
            shutdown_graceful_timeout=SHUTDOWN_SECONDS,
        )

    def _add_job(self, definition: JobDefinition) -> None:
        async def run(context: procrastinate.JobContext, /, **args: Any) -> None:
            try:
                await self._run_job(definition, context.job, args)
            except asyncio.CancelledError:
                if context.abort_reason() is AbortReason.USER_REQUEST:
                    await self._end_cancelled(definition, args)
                    raise JobAborted from None  # else procrastinate tries it again, or calls it failed
                raise

        self.app.task(name=definition.name, queue=definition.queue, retry=Backoff(), pass_context=True)(run)

    def _add_periodic(self, definition: PeriodicDefinition) -> None:
        async def run(timestamp: int) -> None:
            await definition.run(self.db, **ports_for(definition.run, self.outside))
            metrics.jobs.labels(definition.name, "succeeded").inc()

        task = self.app.task(name=definition.name, queue=DEFAULT_QUEUE)(run)
        self.app.periodic(cron=definition.cron)(task)

    async def _run_job(
        self, definition: JobDefinition, job: procrastinate.jobs.Job, args: dict[str, Any]
    ) -> None:
        actor = _actor(args)
        try:
            if definition.in_transaction:
                async with self.db.tx(actor) as tx:
                    await definition.run(tx, **args["payload"])
            else:
                ports = ports_for(definition.run, self.outside)
                await definition.run(self.db, actor, **ports, **args["payload"])
        except asyncio.CancelledError:
            metrics.jobs.labels(definition.name, "cancelled").inc()
            raise
        except Exception as error:
            metrics.jobs.labels(definition.name, "failed").inc()
            await self._record_failure(actor, job, args, error)
            raise
        else:
            metrics.jobs.labels(definition.name, "succeeded").inc()
        finally:
            self._notify_soon(actor)

    async def _end_cancelled(self, definition: JobDefinition, args: dict[str, Any]) -> None:
        async with self.db.tx(_actor(args)) as tx:
            await emit(tx, job_ended(UUID(args["id"]), definition.name, JobStatus.CANCELLED))

    async def _record_failure(
        self, actor: Actor, job: procrastinate.jobs.Job, args: dict[str, Any], error: Exception
    ) -> None:
        """With its end, if there is no other try."""
        assert job.id is not None
        message = str(error)[:ERROR_CHARACTERS].replace("\x00", "")
        detail = "".join(traceback.format_exception(error))[-DETAIL_CHARACTERS:].replace("\x00", "")
        async with self.db.tx(actor) as tx:
            await store.record_failure(tx, job.id, job.attempts + 1, (type(error).__name__, message, detail))
            if not tries_again(job.attempts + 1, int(args.get("max_attempts", 1))):
                await emit(tx, job_ended(UUID(args["id"]), job.task_name, JobStatus.FAILED))

    def _notify_soon(self, actor: Actor) -> None:
        task = asyncio.create_task(self._notify(actor))
        self._notices.add(task)
        task.add_done_callback(self._notices.discard)

    async def _notify(self, actor: Actor) -> None:
        with contextlib.suppress(Exception):  # a page that misses it polls
            await asyncio.sleep(STATUS_LAG)
            async with self.db.tx(actor) as tx:
                await notify(tx, "jobs")

    async def _sweep_forever(self) -> None:
        while True:
            try:
                for row in await self.sweep():
                    log.warning(
                        "a job lost its worker", extra={"job": row["name"], "requeued": row["requeued"]}
                    )
            except Exception:
                log.warning("the sweep for lost jobs failed and is tried again", exc_info=True)
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self, lost: timedelta = HEARTBEAT_LOST, longest: timedelta = LONGEST_JOB) -> list[Any]:
        async with self.db.anonymous() as connection:
            rows = await store.sweep(connection, lost, longest)
            for row in rows:
                if row["outcome"] and row["id"]:  # one that runs by the clock has no id
                    tx = await go_on_as(connection, system_actor(row["tenant_id"]))
                    await emit(tx, job_ended(row["id"], row["name"], JobStatus(row["outcome"])))
            return rows


@contextlib.asynccontextmanager
async def _background(work: Any) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _actor(args: dict[str, Any]) -> Actor:
    """The job runs as the actor that queued it; permissions were checked then."""
    tenant_id = UUID(args["tenant_id"])
    kind, _, actor_id = (args.get("actor") or "system:").partition(":")
    if kind == ActorKind.SYSTEM or not actor_id:
        return system_actor(tenant_id)
    return Actor(
        tenant_id=tenant_id,
        kind=ActorKind(kind),
        id=UUID(actor_id),
        name="",
        permissions=roles.SYSTEM,
        role=Role.OWNER,
    )
