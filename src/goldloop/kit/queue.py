"""The queue of background work: jobs (acts to do once) and marks (derived state to rebuild).

Both are written in the caller's transaction, so they exist exactly when what caused them does.
Concepts register what they can do here; `jobs/` runs it.
"""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside

MAX_ATTEMPTS = 9  # with the waits of `jobs/retries.py` some eight minutes, enough to outlast a restart
DEFAULT_QUEUE = "default"
LONG_QUEUE = "long"  # of jobs that mostly wait: on a model, or on an agent elsewhere
MARK_CAP = 10  # rebuilds of one kind at once over all workers, unless it says otherwise
IN_PROCESS = 4  # of them in one process
LEASE = timedelta(minutes=5)  # after that a leased mark is taken to be abandoned

Work = Callable[..., Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDefinition:
    """A kind of job. Its function takes `tx` (runs in one transaction) or `db` and `actor` (waits on a network), and with
    the latter `outside` where it has a parameter of that name. What takes minutes has a `queue` of its own, so that the
    rest need not wait for it."""

    name: str
    run: Work
    max_attempts: int
    in_transaction: bool
    queue: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodicDefinition:
    """A periodic job without a tenant; its function takes `db`, and `outside` where it has a parameter of that name."""

    name: str
    run: Work
    cron: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkDefinition:
    """How one kind of derived state is rebuilt: `run(tx, key)`, or `run(db, actor, key)` under a lease, where it may also take
    `outside`. `cap` of them are at work over all workers, `in_process` in each, of which `share` may be leased by one
    workspace. With `at_once` it is `run(tx, keys)`, of so many marks of one workspace at most. A mark is due after `delay`, so
    that whatever sets it again until then is rebuilt with it. What is not `durable` at once is written to the disk a moment
    after its commit: where the machine stops before, its marks are there again. `max_attempts` are tries after which nobody
    tries again until it is marked anew; `give_up(tx, key, reason)` is told of that, for whoever waits for what will not
    come."""

    kind: str
    run: Work
    cap: int
    in_process: int
    share: int
    leased: bool
    delay: timedelta
    at_once: int
    durable: bool
    max_attempts: int | None
    give_up: Work | None


JOBS: dict[str, JobDefinition] = {}
PERIODIC: dict[str, PeriodicDefinition] = {}
MARKS: dict[str, MarkDefinition] = {}


def job(name: str, *, max_attempts: int = MAX_ATTEMPTS, queue: str = DEFAULT_QUEUE) -> Callable[[Work], Work]:
    def register(run: Work) -> Work:
        first = next(iter(inspect.signature(run).parameters))
        JOBS[name] = JobDefinition(
            name=name, run=run, max_attempts=max_attempts, in_transaction=first == "tx", queue=queue
        )
        return run

    return register


def periodic(name: str, *, cron: str) -> Callable[[Work], Work]:
    def register(run: Work) -> Work:
        PERIODIC[name] = PeriodicDefinition(name=name, run=run, cron=cron)
        return run

    return register


def mark(
    kind: str,
    *,
    cap: int = MARK_CAP,
    in_process: int = IN_PROCESS,
    share: int | None = None,
    delay: timedelta = timedelta(0),
    at_once: int = 1,
    durable: bool = True,
    max_attempts: int | None = None,
    give_up: Work | None = None,
) -> Callable[[Work], Work]:
    def register(run: Work) -> Work:
        first = next(iter(inspect.signature(run).parameters))
        MARKS[kind] = MarkDefinition(
            kind=kind,
            run=run,
            cap=cap,
            in_process=in_process,
            share=in_process if share is None else share,
            leased=first == "db",
            delay=delay,
            at_once=at_once,
            durable=durable,
            max_attempts=max_attempts,
            give_up=give_up,
        )
        return run

    return register


def ports_for(run: Work, outside: Outside) -> dict[str, Outside]:
    """What a registered function is given beside its own arguments: `outside`, if it has a parameter of that name."""
    return {"outside": outside} if "outside" in inspect.signature(run).parameters else {}


async def enqueue(
    tx: Tx,
    name: str,
    payload: dict[str, Any],
    *,
    run_at: datetime | None = None,
    priority: int = 0,
    job_id: UUID | None = None,
) -> UUID:
    """Queue a job in the caller's transaction, under an id of the caller's if that has one. It carries the caller's tenant
    and actor, and may run twice."""
    definition = JOBS[name]
    job_id = job_id or new_id()
    await tx.execute(
        "SELECT enqueue_job($1, $2, $3, $4, $5, $6, $7)",
        job_id,
        name,
        payload,
        run_at,
        definition.max_attempts,
        priority,
        definition.queue,
    )
    return job_id


async def set_marks(tx: Tx, kind: str, keys: Sequence[str], *, delay: timedelta | None = None) -> None:
    """Mark derived state for a rebuild in the caller's transaction; many marks on one key are one rebuild. With a `delay` of
    its own the key has to name when that is: a mark that is there stays due when it was."""
    if keys:
        wait = MARKS[kind].delay if delay is None else delay
        await tx.execute("SELECT set_marks($1, $2, $3)", kind, list(keys), wait)
