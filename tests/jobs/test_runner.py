"""Jobs on a real runner: what they carry, how they fail, how they come back, how they end."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest
import pytest_asyncio

from goldloop.jobs import jobs as housekeeping
from goldloop.jobs import retries, runner, service
from goldloop.jobs import run_service as runs
from goldloop.jobs.model import JobDetail, JobNotFound, JobNotRetryable, JobStatus, Run, RunStatus
from goldloop.jobs.run_service import RunKind
from goldloop.jobs.runner import JobRunner
from goldloop.kit.clock import now
from goldloop.kit.db import WORKER_ROLE, Actor, ActorKind, Database, Tx, open_database
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.kit.queue import JOBS, enqueue, job, periodic
from goldloop.tenants import roles
from goldloop.tenants.model import Role
from goldloop.tenants.workspaces import jobs as tenant_jobs
from tests.factories import Workspace, make_workspace
from tests.outside import embedded_outside
from tests.servers import end_connections, eventually

pytestmark = pytest.mark.usefixtures("registry")

OUTSIDE = embedded_outside(Path("never-written"))


@dataclass
class Bench:
    """A workspace on a database of its own, and a runner when a test asks for one."""

    db: Database
    url: str
    workspace: Workspace
    ran: list[Any] = field(default_factory=list)

    async def enqueue(self, name: str, actor: Actor | None = None, **options: Any) -> UUID:
        async with self.db.tx(actor or self.workspace.system) as tx:
            return await enqueue(tx, name, options.pop("payload", {}), **options)

    async def show(self, job_id: UUID) -> JobDetail:
        async with self.db.tx(self.workspace.system) as tx:
            return await service.access(tx, job_id)

    async def until(self, job_id: UUID, status: JobStatus, seconds: float = 40) -> JobDetail:
        async def reached() -> JobDetail | None:
            shown = await self.show(job_id)
            return shown if shown.status is status else None

        return await eventually(reached, seconds)

    @contextlib.asynccontextmanager
    async def running(self, concurrency: int = 4) -> AsyncIterator[JobRunner]:
        made = JobRunner(self.db, self.url, concurrency, OUTSIDE)
        task = asyncio.create_task(made.run())
        try:
            yield made
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def sql(self, statement: str, *args: Any) -> Any:
        """As the worker's role, on procrastinate's own tables."""
        async with self.db.anonymous() as connection:
            await connection.execute("SET LOCAL search_path = procrastinate")
            return await connection.fetchval(statement, *args)

    async def take_and_die(self) -> int:
        """What a worker leaves behind that was killed in the middle of a job."""
        worker = await self.sql("SELECT worker_id FROM procrastinate_register_worker_v1()")
        taken = await self.sql("SELECT id FROM procrastinate_fetch_job_v2(NULL, $1)", worker)
        await self.sql(
            "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 minute' WHERE id = $1",
            worker,
        )
        assert taken is not None
        return int(taken)


@pytest_asyncio.fixture
async def bench(module_database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    monkeypatch.setattr(retries, "FIRST_WAIT", timedelta(seconds=0.1))
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.1)
    async with (
        open_database(module_database_url, role=WORKER_ROLE, size=6) as db,
        make_workspace(db) as workspace,
    ):
        made = Bench(db=db, url=module_database_url, workspace=workspace)
        await made.sql("DELETE FROM procrastinate_jobs")
        await made.sql("DELETE FROM procrastinate_workers")
        yield made


def noting(ran: list[Any]) -> Callable[..., Any]:
    async def run(tx: Tx, **payload: Any) -> None:
        ran.append(payload)

    return run


async def test_a_job_of_a_transaction_that_rolls_back_never_exists(bench: Bench) -> None:
    job("test.note")(noting(bench.ran))
    with contextlib.suppress(RuntimeError):
        async with bench.db.tx(bench.workspace.system) as tx:
            lost = await enqueue(tx, "test.note", {"n": 1})
            assert (await service.access(tx, lost)).status is JobStatus.TODO
            raise RuntimeError
    kept = await bench.enqueue("test.note", payload={"n": 2})
    async with bench.running():
        await bench.until(kept, JobStatus.SUCCEEDED)
    assert bench.ran == [{"n": 2}]
    with pytest.raises(JobNotFound):
        await bench.show(lost)


async def test_a_job_that_nobody_registered_cannot_be_queued(bench: Bench) -> None:
    with pytest.raises(KeyError):
        await bench.enqueue("test.unknown")


async def test_a_job_runs_as_whoever_queued_it_in_their_tenant(bench: Bench) -> None:
    @job("test.who")
    async def who(tx: Tx) -> None:
        row = await tx.fetchrow(
            "SELECT current_user AS role, current_setting('app.tenant') AS tenant, current_setting('app.actor') AS actor"
        )
        assert row is not None
        bench.ran.append((tx.actor.kind, tx.actor.id, dict(row)))

    person = Actor(
        tenant_id=bench.workspace.id,
        kind=ActorKind.USER,
        id=bench.workspace.owner_id,
        name="",
        permissions=roles.permissions(Role.OWNER),
        role=Role.OWNER,
    )
    async with bench.running():
        done = await bench.until(await bench.enqueue("test.who", person), JobStatus.SUCCEEDED)
    assert bench.ran == [
        (
            ActorKind.USER,
            person.id,
            {"role": WORKER_ROLE, "tenant": str(person.tenant_id), "actor": f"user:{person.id}"},
        )
    ]
    assert (done.actor.kind, done.actor.id) == ("user", person.id)
    assert (done.attempts, done.error, done.failures) == (1, None, [])
    assert done.queued_at is not None
    assert done.started_at is not None
    assert done.finished_at is not None
    assert done.queued_at <= done.started_at <= done.finished_at


async def test_a_job_that_waits_on_a_network_gets_the_database_and_no_transaction(bench: Bench) -> None:
    @job("test.network")
    async def network(db: Database, actor: Actor, *, word: str) -> None:
        async with db.tx(actor) as tx:
            bench.ran.append((word, await tx.fetchval("SELECT slug FROM tenants")))

    async with bench.running():
        await bench.until(await bench.enqueue("test.network", payload={"word": "hi"}), JobStatus.SUCCEEDED)
    assert bench.ran == [("hi", bench.workspace.slug)]


async def test_a_failed_run_is_repeated_after_growing_waits_and_its_reason_kept(bench: Bench) -> None:
    times: list[float] = []

    @job("test.flaky")
    async def flaky(tx: Tx) -> None:
        times.append(time.monotonic())
        await tx.execute(
            "UPDATE tenants SET name = 'run ' || $1 WHERE id = $2", str(len(times)), tx.actor.tenant_id
        )
        if len(times) < 3:
            raise ValueError(f"no luck \x00 {len(times)}")

    async with bench.running():
        done = await bench.until(await bench.enqueue("test.flaky"), JobStatus.SUCCEEDED)
    assert times[1] - times[0] >= 0.1
    assert times[2] - times[1] >= 0.2
    assert (done.attempts, done.error) == (3, None)
    assert [(f.attempt, f.type, f.message) for f in done.failures] == [
        (2, "ValueError", "no luck  2"),
        (1, "ValueError", "no luck  1"),
    ]
    assert "test_runner.py" in done.failures[0].detail
    async with bench.db.tx(bench.workspace.system) as tx:
        assert await tx.fetchval("SELECT name FROM tenants") == "run 3"


async def test_what_a_failed_run_wrote_is_undone(bench: Bench) -> None:
    @job("test.half", max_attempts=1)
    async def half(tx: Tx) -> None:
        await tx.execute("UPDATE tenants SET name = 'half' WHERE id = $1", tx.actor.tenant_id)
        raise ValueError

    async with bench.running():
        await bench.until(await bench.enqueue("test.half"), JobStatus.FAILED)
    async with bench.db.tx(bench.workspace.system) as tx:
        assert await tx.fetchval("SELECT name FROM tenants") != "half"


async def test_a_job_fails_for_good_when_its_attempts_are_used_up_and_a_person_can_retry_it(
    bench: Bench,
) -> None:
    healed = False

    @job("test.broken", max_attempts=2)
    async def broken(tx: Tx) -> None:
        bench.ran.append(1)
        if not healed:
            raise LookupError("still broken")

    async with bench.running():
        job_id = await bench.enqueue("test.broken")
        failed = await bench.until(job_id, JobStatus.FAILED)
        await asyncio.sleep(0.5)  # nobody tries again by themselves
        assert len(bench.ran) == failed.attempts == 2
        assert failed.error is not None
        assert (failed.error.type, failed.error.message) == ("LookupError", "still broken")

        async with bench.db.tx(bench.workspace.system) as tx:
            assert (await service.retry(tx, job_id)).status is JobStatus.TODO
        again = await bench.until(job_id, JobStatus.FAILED)
        assert len(bench.ran) == again.attempts == 3
        assert [f.attempt for f in again.failures] == [3, 2, 1]

        healed = True
        async with bench.db.tx(bench.workspace.system) as tx:
            await service.retry(tx, job_id)
        done = await bench.until(job_id, JobStatus.SUCCEEDED)
    assert (len(bench.ran), done.attempts, done.error) == (4, 4, None)


async def test_a_job_for_later_waits_and_can_be_cancelled(bench: Bench) -> None:
    job("test.note")(noting(bench.ran))
    due = now() + timedelta(seconds=0.6)
    soon = await bench.enqueue("test.note", run_at=due, payload={"n": 1})
    never = await bench.enqueue("test.note", run_at=due, payload={"n": 2})
    async with bench.db.tx(bench.workspace.system) as tx:
        assert (await service.cancel(tx, never)).status is JobStatus.CANCELLED
    async with bench.running():
        done = await bench.until(soon, JobStatus.SUCCEEDED)
        await asyncio.sleep(0.3)
    assert done.finished_at is not None
    assert done.finished_at >= due
    assert bench.ran == [{"n": 1}]
    async with bench.db.tx(bench.workspace.system) as tx:
        with pytest.raises(JobNotRetryable):
            await service.retry(tx, never)


async def test_the_higher_priority_runs_first(bench: Bench) -> None:
    job("test.note")(noting(bench.ran))
    for priority in (0, 5, -5):
        last = await bench.enqueue("test.note", priority=priority, payload={"n": priority})
    async with bench.running(concurrency=1):
        await bench.until(last, JobStatus.SUCCEEDED)
    assert bench.ran == [{"n": 5}, {"n": 0}, {"n": -5}]


async def test_a_running_job_that_is_cancelled_stops_and_what_it_wrote_is_undone(bench: Bench) -> None:
    @job("test.slow")
    async def slow(tx: Tx) -> None:
        await tx.execute("UPDATE tenants SET name = 'halfway' WHERE id = $1", tx.actor.tenant_id)
        bench.ran.append("began")
        await asyncio.sleep(30)

    async with bench.running():
        job_id = await bench.enqueue("test.slow")
        await bench.until(job_id, JobStatus.DOING)
        await eventually(lambda: _truth(bench.ran))
        async with bench.db.tx(bench.workspace.system) as tx:
            await service.cancel(tx, job_id)
        done = await bench.until(job_id, JobStatus.CANCELLED)
        await asyncio.sleep(0.4)
    assert bench.ran == ["began"]
    assert done.finished_at is not None
    async with bench.db.tx(bench.workspace.system) as tx:
        assert await tx.fetchval("SELECT name FROM tenants") != "halfway"
        with pytest.raises(JobNotRetryable):
            await service.retry(tx, job_id)


async def test_a_job_that_fails_while_it_is_being_cancelled_can_still_be_retried(bench: Bench) -> None:
    stubborn = True

    @job("test.stubborn")
    async def refuse(tx: Tx) -> None:
        bench.ran.append(1)
        if stubborn:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                raise ValueError("not like this") from None

    async with bench.running():
        job_id = await bench.enqueue("test.stubborn")
        await eventually(lambda: _truth(bench.ran))
        async with bench.db.tx(bench.workspace.system) as tx:
            await service.cancel(tx, job_id)
        await bench.until(job_id, JobStatus.FAILED)
        stubborn = False
        async with bench.db.tx(bench.workspace.system) as tx:
            await service.retry(tx, job_id)
        await bench.until(job_id, JobStatus.SUCCEEDED)


async def _truth(value: object) -> bool:
    return bool(value)


async def test_a_job_that_a_stopping_worker_had_to_leave_runs_again_elsewhere(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "SHUTDOWN_SECONDS", 0.1)

    @job("test.slow", max_attempts=2)
    async def slow(tx: Tx) -> None:
        bench.ran.append(1)
        await asyncio.sleep(30 if len(bench.ran) == 1 else 0)

    job_id = await bench.enqueue("test.slow")
    async with bench.running():
        await eventually(lambda: _truth(bench.ran))
    assert (await bench.show(job_id)).status is JobStatus.TODO
    async with bench.running():
        await bench.until(job_id, JobStatus.SUCCEEDED)
    assert len(bench.ran) == 2


async def test_a_job_whose_worker_died_is_taken_back_and_runs(bench: Bench) -> None:
    job("test.note")(noting(bench.ran))
    job_id = await bench.enqueue("test.note")
    await bench.take_and_die()
    assert (await bench.show(job_id)).status is JobStatus.DOING

    swept = await JobRunner(bench.db, bench.url, 1, OUTSIDE).sweep()
    assert [(row["name"], row["requeued"]) for row in swept] == [("test.note", True)]
    async with bench.running():
        done = await bench.until(job_id, JobStatus.SUCCEEDED)
    assert [f.type for f in done.failures] == ["WorkerLost"]
    assert len(bench.ran) == 1


async def test_the_sweep_leaves_a_living_worker_its_job(bench: Bench) -> None:
    @job("test.long")
    async def long(tx: Tx) -> None:
        bench.ran.append(1)
        await asyncio.sleep(1)

    async with bench.running() as made:
        job_id = await bench.enqueue("test.long")
        await eventually(lambda: _truth(bench.ran))
        assert await made.sweep() == []
        await bench.until(job_id, JobStatus.SUCCEEDED)
    assert bench.ran == [1]


async def test_a_job_that_hangs_is_taken_back_although_its_worker_lives(bench: Bench) -> None:
    job("test.note")(noting(bench.ran))
    job_id = await bench.enqueue("test.note")
    await bench.take_and_die()
    await bench.sql("UPDATE procrastinate_workers SET last_heartbeat = now()")
    made = JobRunner(bench.db, bench.url, 1, OUTSIDE)
    assert await made.sweep(longest=timedelta(hours=1)) == []
    assert len(await made.sweep(longest=timedelta(0))) == 1
    assert (await bench.show(job_id)).status is JobStatus.TODO


async def test_a_job_that_kills_every_worker_is_given_up_after_its_attempts(bench: Bench) -> None:
    job("test.killer", max_attempts=3)(noting(bench.ran))
    job_id = await bench.enqueue("test.killer")
    made = JobRunner(bench.db, bench.url, 1, OUTSIDE)
    requeued = []
    for _ in range(3):
        await bench.take_and_die()
        requeued += [row["requeued"] for row in await made.sweep()]
    assert requeued == [True, True, False]
    given_up = await bench.show(job_id)
    assert (given_up.status, given_up.attempts) == (JobStatus.FAILED, 3)
    assert [f.type for f in given_up.failures] == ["WorkerLost"] * 3
    assert await made.sweep() == []


async def test_a_cancelled_job_of_a_dead_worker_ends_as_cancelled(bench: Bench) -> None:
    job("test.note")(noting(bench.ran))
    job_id = await bench.enqueue("test.note")
    await bench.take_and_die()
    async with bench.db.tx(bench.workspace.system) as tx:
        await service.cancel(tx, job_id)
    await JobRunner(bench.db, bench.url, 1, OUTSIDE).sweep()
    assert (await bench.show(job_id)).status is JobStatus.CANCELLED


@pytest.fixture
def ended() -> Iterator[list[Run]]:
    """Ends of runs of a kind whose job is `test.work`, which a test registers."""
    seen: list[Run] = []

    async def note(tx: Tx, run: Run) -> None:
        seen.append(run)

    runs.register(RunKind(name="test", topic="jobs", job="test.work", ended=note))
    yield seen
    del runs.KINDS["test"]


async def start_run(bench: Bench) -> Run:
    async with bench.db.tx(bench.workspace.system) as tx:
        made = await runs.create(tx, runs.KINDS["test"], new_id(), "a subject")
        assert made is not None
        assert made.job_id is not None
        return made


def job_of(run: Run) -> UUID:
    assert run.job_id is not None
    return run.job_id


async def test_a_run_fails_with_its_job_at_the_last_try_and_says_why(bench: Bench, ended: list[Run]) -> None:
    @job("test.work", max_attempts=2)
    async def work(tx: Tx, *, run_id: str) -> None:
        bench.ran.append([run.status for run in ended])
        raise ValueError("no")

    made = await start_run(bench)
    async with bench.running():
        await bench.until(job_of(made), JobStatus.FAILED)
    assert bench.ran == [[], []], "not before the last try"
    assert [(run.id, run.status, run.error_code, run.error_message) for run in ended] == [
        (made.id, RunStatus.FAILED, "job_ended", "The run was given up: ValueError: no")
    ]


async def test_a_run_ends_with_a_job_that_is_asked_to_stop(bench: Bench, ended: list[Run]) -> None:
    @job("test.work")
    async def work(db: Database, actor: Actor, *, run_id: str) -> None:
        bench.ran.append(run_id)
        await asyncio.sleep(60)

    made = await start_run(bench)
    async with bench.running():
        await eventually(lambda: _truth(bench.ran))
        async with bench.db.tx(bench.workspace.system) as tx:
            await service.cancel(tx, job_of(made))
        await bench.until(job_of(made), JobStatus.CANCELLED)
    assert [run.status for run in ended] == [RunStatus.CANCELLED]


@pytest.mark.parametrize("cancelled", [False, True])
async def test_a_run_whose_workers_all_died_ends_in_the_sweep(
    bench: Bench, ended: list[Run], cancelled: bool
) -> None:
    job("test.work", max_attempts=1)(noting(bench.ran))
    made = await start_run(bench)
    await bench.take_and_die()
    if cancelled:
        async with bench.db.tx(bench.workspace.system) as tx:
            await service.cancel(tx, job_of(made))
        assert ended == []
    await JobRunner(bench.db, bench.url, 1, OUTSIDE).sweep()
    assert [run.status for run in ended] == [RunStatus.CANCELLED if cancelled else RunStatus.FAILED]


async def test_a_periodic_job_fires_by_the_clock(bench: Bench) -> None:
    @periodic("test.tick", cron="* * * * * *")  # the sixth field is seconds
    async def tick(db: Database) -> None:
        bench.ran.append(db.role)

    async with bench.running():
        await eventually(lambda: _truth(len(bench.ran) >= 2), 6)
    assert set(bench.ran) == {WORKER_ROLE}


async def test_jobs_that_ended_long_ago_are_forgotten_good_ones_sooner(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "BATCH", 2)  # more than one batch

    @job("test.maybe", max_attempts=1)
    async def maybe(tx: Tx, *, good: bool) -> None:
        assert good

    async with bench.running():
        made = {
            (good, days): await bench.enqueue("test.maybe", payload={"good": good})
            for good in (True, False)
            for days in (6, 8, 31)
        }
        for (good, _), job_id in made.items():
            await bench.until(job_id, JobStatus.SUCCEEDED if good else JobStatus.FAILED)
    waiting = await bench.enqueue("test.maybe", payload={"good": True})
    for (_, days), job_id in made.items():
        await bench.sql(
            "UPDATE procrastinate_events SET at = at - make_interval(days => $2) "
            "WHERE job_id = (SELECT id FROM procrastinate_jobs WHERE args ->> 'id' = $1)",
            str(job_id),
            days,
        )
    await bench.sql("UPDATE procrastinate_events SET at = at - interval '1 year' WHERE type = 'deferred'")
    await housekeeping.prune(bench.db)
    async with bench.db.tx(bench.workspace.system) as tx:
        left = {shown.id for shown in (await service.list_jobs(tx, None, None, 100)).data}
    assert left == {made[True, 6], made[False, 6], made[False, 8], waiting}


async def test_idempotency_keys_are_forgotten_after_a_day(bench: Bench) -> None:
    async with bench.db.tx(bench.workspace.system) as tx:
        for key, age in (("new", timedelta()), ("old", timedelta(days=2))):
            await tx.execute(
                "INSERT INTO idempotency_keys (tenant_id, actor, key, request_hash, created_at) VALUES ($1, '', $2, '', $3)",
                tx.actor.tenant_id,
                key,
                now() - age,
            )
    await tenant_jobs.prune(bench.db)
    async with bench.db.tx(bench.workspace.system) as tx:
        assert [row["key"] for row in await tx.fetch("SELECT key FROM idempotency_keys")] == ["new"]


async def test_another_tenant_sees_retries_and_cancels_nothing(bench: Bench) -> None:
    job("test.note", max_attempts=1)(noting(bench.ran))
    job_id = await bench.enqueue("test.note", run_at=now() + timedelta(hours=1))
    async with make_workspace(bench.db) as stranger, bench.db.tx(stranger.system) as tx:
        assert (await service.list_jobs(tx, None, None, 100)).data == []
        for act in (service.access, service.retry, service.cancel):
            with pytest.raises(JobNotFound):
                await act(tx, job_id)
        assert await tx.fetchval("SELECT cancel_job($1)", job_id) is False
        assert await tx.fetchval("SELECT retry_job($1)", job_id) is False
        assert await tx.fetch("SELECT attempt FROM list_job_failures($1)", job_id) == []
    assert (await bench.show(job_id)).status is JobStatus.TODO


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT id FROM procrastinate.procrastinate_jobs",
        "SELECT job_id FROM procrastinate.job_failures",
        "SELECT sweep_jobs('1 second', '1 second')",
        "SELECT prune_jobs('1 second', '1 second', 1)",
        "SELECT take_mark('x', NULL, 1)",
    ],
)
async def test_the_role_of_requests_reaches_no_job_but_through_its_functions(
    bench: Bench, statement: str
) -> None:
    requests = Database(pool=bench.db.pool)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with requests.tx(bench.workspace.system) as tx:
            await tx.execute(statement)


async def test_a_job_without_a_tenant_is_refused(bench: Bench) -> None:
    with pytest.raises(asyncpg.RaiseError, match="needs a tenant"):
        async with bench.db.anonymous() as connection:
            await connection.execute("SELECT enqueue_job($1, 'x', '{}', NULL, 1, 0, 'default')", new_id())


async def test_the_runner_lives_through_lost_connections(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "RESTART_SECONDS", 0.1)
    job("test.note")(noting(bench.ran))
    async with bench.running():
        await bench.until(await bench.enqueue("test.note"), JobStatus.SUCCEEDED)
        await end_connections(bench.url)
        await bench.until(await bench.enqueue("test.note"), JobStatus.SUCCEEDED, seconds=60)


def test_every_job_of_the_product_is_registered_by_the_composition_root() -> None:
    assert "tenants.record_key_use" in JOBS


async def test_a_job_that_asks_for_what_is_outside_is_given_it(bench: Bench) -> None:
    @job("test.outside")
    async def reach_out(db: Database, actor: Actor, *, outside: Outside, word: str) -> None:
        bench.ran.append((word, outside))

    async with bench.running():
        made = await bench.enqueue("test.outside", payload={"word": "hello"})
        await bench.until(made, JobStatus.SUCCEEDED)
    assert bench.ran == [("hello", OUTSIDE)]
