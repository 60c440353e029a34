"""Runs: which changes of state there are, which are refused, and who hears of them."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from uuid import UUID

import pytest

from goldloop.jobs import run_service as runs
from goldloop.jobs import run_store
from goldloop.jobs import store as jobs
from goldloop.jobs.model import JobStatus, Run, RunStatus
from goldloop.jobs.run_service import RunKind
from goldloop.kit.db import APP_ROLE, Tx
from goldloop.kit.ids import new_id
from goldloop.kit.queue import JOBS, job
from tests.factories import Workspace
from tests.loops import any_number

QUEUED, RUNNING, DONE, FAILED, CANCELLED = RunStatus
Change = Callable[[Tx, UUID], Awaitable[Any]]


async def fail(tx: Tx, run_id: UUID) -> bool:
    return await runs.fail(tx, run_id, "broken", "It broke")


@pytest.fixture
def ended() -> Iterator[list[Run]]:
    seen: list[Run] = []

    async def note(tx: Tx, run: Run) -> None:
        seen.append(run)

    async def work(tx: Tx, *, run_id: str) -> None: ...

    job("test.work")(work)
    for exclusive in (False, True):
        name = "test.exclusive" if exclusive else "test"
        runs.register(RunKind(name=name, topic="test_runs", job="test.work", ended=note, exclusive=exclusive))
    yield seen
    del JOBS["test.work"], runs.KINDS["test"], runs.KINDS["test.exclusive"]


async def make(tx: Tx, status: RunStatus = QUEUED, kind: str = "test") -> Run:
    made = await runs.create(tx, runs.KINDS[kind], new_id(), "a subject", total=4, resume_point="a")
    assert made is not None
    steps: dict[RunStatus, list[Change]] = {
        QUEUED: [],
        RUNNING: [runs.start],
        DONE: [runs.start, runs.finish],
        FAILED: [runs.start, fail],
        CANCELLED: [runs.cancel],
    }
    for step in any_number(steps[status]):
        assert await step(tx, made.id)
    return await reread(tx, made)


async def reread(tx: Tx, run: Run) -> Run:
    found = await run_store.find(tx, run.id)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("change", "to", "allowed"),
    [
        (runs.start, RUNNING, {QUEUED, RUNNING}),
        (runs.finish, DONE, {QUEUED, RUNNING}),
        (fail, FAILED, {QUEUED, RUNNING}),
        (runs.cancel, CANCELLED, {QUEUED, RUNNING}),
    ],
)
@pytest.mark.parametrize("before", list(RunStatus))
async def test_a_run_that_is_over_stays_as_it_ended(
    workspace: Workspace,
    ended: list[Run],
    change: Change,
    to: RunStatus,
    allowed: set[RunStatus],
    before: RunStatus,
) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        made = await make(tx, before)
        ended.clear()
        assert bool(await change(tx, made.id)) is (before in allowed)
        after = await reread(tx, made)
        assert after.status is (to if before in allowed else before)
        assert [run.id for run in ended] == ([made.id] if before in allowed and to is not RUNNING else [])
        if before not in allowed:
            assert after == made


async def test_a_run_advances_from_where_its_worker_was_and_not_from_elsewhere(
    workspace: Workspace, ended: list[Run]
) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        waiting = await make(tx)
        assert not await runs.advance(tx, waiting, done=1, resume_point="b"), "it has not started"
        made = await make(tx, RUNNING)
        assert await runs.advance(tx, made, done=2, resume_point="b")
        assert not await runs.advance(tx, made, done=3, resume_point="c"), "another worker is ahead"
        ahead = await reread(tx, made)
        assert (ahead.done, ahead.total, ahead.resume_point) == (2, 4, "b")
        assert await runs.advance(tx, ahead, done=6, resume_point=None)
        assert (await reread(tx, made)).total == 6, "there was more than was known"
        assert await runs.finish(tx, made.id)
        assert not await runs.advance(tx, await reread(tx, made), done=7, resume_point=None)


async def test_a_run_that_is_done_had_as_much_to_do_as_it_did(workspace: Workspace, ended: list[Run]) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        made = await make(tx, RUNNING)
        await runs.advance(tx, made, done=3, resume_point="b")
        await runs.finish(tx, made.id)
        (done,) = ended
        assert (done.status, done.done, done.total, done.error_code) == (DONE, 3, 3, None)
        assert done.started_at is not None
        assert done.ended_at is not None
        assert done.ended_at >= done.started_at


async def test_cancelling_a_run_cancels_its_job(workspace: Workspace, ended: list[Run]) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        made = await make(tx)
        assert made.job_id is not None
        await runs.cancel(tx, made.id)
        found = await jobs.find(tx, made.job_id)
        assert found is not None
        assert found.status is JobStatus.CANCELLED
        assert [run.status for run in ended] == [CANCELLED], "once, though its job ended too"


async def test_a_running_run_is_asked_to_stop_and_one_that_waits_just_ends(
    workspace: Workspace, ended: list[Run]
) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        waiting, running, over = await make(tx), await make(tx, RUNNING), await make(tx, DONE)
        assert await runs.request_cancel(tx, waiting.id)
        assert await runs.request_cancel(tx, running.id)
        assert not await runs.request_cancel(tx, over.id)
        assert (await reread(tx, waiting)).status is CANCELLED
        asked = await reread(tx, running)
        assert (asked.status, asked.cancel_requested) == (RUNNING, True)


async def test_a_subject_has_one_open_run_of_an_exclusive_kind(
    workspace: Workspace, ended: list[Run]
) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        first = await make(tx, kind="test.exclusive")
        alone = runs.KINDS["test.exclusive"]
        assert await runs.create(tx, alone, new_id(), "a subject") is None
        assert await runs.create(tx, alone, new_id(), "another")
        assert await runs.create(tx, runs.KINDS["test"], first.id, "a subject") is None, "the id is taken"
        open_run = await run_store.find_open(tx, alone.name, "a subject")
        assert open_run is not None
        assert open_run.id == first.id
        await runs.cancel(tx, first.id)
        assert await runs.create(tx, alone, new_id(), "a subject")


async def test_pages_hear_of_every_change(workspace: Workspace, ended: list[Run]) -> None:
    async with workspace.db.in_role(APP_ROLE).tx(workspace.system) as tx:
        await tx.execute("SELECT watch_tenant($1, interval '1 minute')", new_id())

    async def notifies(change: Callable[[Tx, Run], Awaitable[Any]], made: Run) -> bool:
        async with workspace.db.tx(workspace.system) as tx:
            await change(tx, made)
            sent: str = await tx.fetchval("SELECT current_setting('app.notified', true)")
            return str(made.id) in sent

    async with workspace.db.tx(workspace.system) as tx:
        made, other = await make(tx), await make(tx, RUNNING)
        assert str(made.id) in await tx.fetchval("SELECT current_setting('app.notified', true)")
    assert await notifies(lambda tx, run: runs.start(tx, run.id), made)
    assert await notifies(lambda tx, run: runs.advance(tx, run, done=1, resume_point="b"), made)
    assert await notifies(lambda tx, run: runs.finish(tx, run.id), made)
    assert await notifies(lambda tx, run: runs.request_cancel(tx, run.id), other)
    assert await notifies(lambda tx, run: fail(tx, run.id), other)
