"""Processes count by themselves, and tell each other: what a limit allows is shared, and asks the database nothing."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from goldloop.kit.db import Database
from goldloop.kit.pool import ConnectionPool
from goldloop.limits import jobs
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.limits.conftest import PLAIN, Process, ask, left, set_limits
from tests.servers import eventually


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldloop.limits.limiter.SETTLE_SECONDS", 0.05)


async def rested(process: Process) -> None:
    """Until it has nothing to settle any more."""

    async def rests() -> bool:
        return process.limiter._settling is None or process.limiter._settling.done()

    await eventually(rests)


async def test_two_processes_share_what_a_limit_allows(
    workspace: Workspace, processes: tuple[Process, Process]
) -> None:
    one, two = processes
    _, secret = await workspace.make_key(Role.VIEWER)
    await set_limits(await workspace.client(), key_requests_per_minute=6)
    first = await workspace.client_with(secret)
    workspace.app = two.app
    second = await workspace.client_with(secret)
    assert await ask(first, 4) == [200] * 4
    await rested(one)
    assert await ask(second, 1) == [200]  # knows nothing of the others before it has settled
    await rested(two)
    answer = await second.get(PLAIN)
    assert (answer.status_code, left(answer)) == (200, {"key": 0})
    assert await ask(second, 2) == [429, 429]
    await rested(two)
    assert await ask(first, 1) == [200]  # the overshoot: what the other let in since this one has settled
    await rested(one)
    assert await ask(first, 2) == [429, 429]


async def test_a_process_that_dies_takes_what_it_had_not_settled(
    workspace: Workspace, processes: tuple[Process, Process]
) -> None:
    dying, heir = processes
    _, secret = await workspace.make_key(Role.VIEWER)
    await set_limits(await workspace.client(), key_requests_per_minute=100)
    client = await workspace.client_with(secret)
    await ask(client, 5)
    await rested(dying)
    await ask(client, 3)
    assert dying.limiter._settling is not None
    dying.limiter._settling.cancel()  # killed before it told of all of the last three
    dying.limiter._unsettled.clear()
    workspace.app = heir.app
    other = await workspace.client_with(secret)
    await ask(other, 1)
    await rested(heir)
    counted = 100 - left(await other.get(PLAIN))["key"] - 2
    assert 5 <= counted <= 8  # what it had told of before is known


class Counting:
    """A pool that counts how often a connection is lent, which each statement and each transaction needs."""

    def __init__(self, pool: Any) -> None:
        self.pool, self.lent = pool, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pool, name)

    async def take(self, seconds: float) -> Any:
        self.lent += 1
        return await self.pool.take(seconds)


@pytest.fixture
def counting(processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    """What limits ask of the database in the first process, which hears of changes."""
    limiter = processes[0].limiter
    monkeypatch.setattr("goldloop.limits.limiter.SETTLE_SECONDS", 0.5)
    before, pool = limiter.db, Counting(limiter.db.pool)
    limiter.db, limiter.auth.listening = replace(before, pool=cast("ConnectionPool", pool)), True
    yield pool
    limiter.db, limiter.auth.listening = before, False


async def test_a_request_asks_nothing_more_and_at_rest_nothing_is_done(
    workspace: Workspace, processes: tuple[Process, Process], counting: Counting
) -> None:
    admin, program = await workspace.client(), await workspace.client(Role.VIEWER)
    await ask(program, 3)
    assert counting.lent == 1  # whether there are limits is read once
    await set_limits(admin, requests_per_minute=1000, key_requests_per_minute=500)
    await ask(program, 1)
    await rested(processes[0])
    assert counting.lent == 3  # read anew, and settled once
    limiter = processes[0].limiter
    for _ in range(500):
        admitted = await limiter.admit(workspace.system)
        assert admitted.refusal is None
    assert counting.lent == 3  # nothing was waited for
    await rested(processes[0])
    assert counting.lent == 4
    assert limiter._unsettled == set()


async def test_counts_of_processes_that_are_gone_are_forgotten(
    workspace: Workspace, worker_db: Database
) -> None:
    async with worker_db.tx(workspace.system) as tx:
        await tx.execute(
            """
            INSERT INTO request_counts (tenant_id, subject_id, process_id, minute, requests)
            VALUES ($1, $1, gen_random_uuid(), now() - interval '2 hours', 5), ($1, $1, gen_random_uuid(), now(), 6)
            """,
            workspace.id,
        )
        await tx.execute(
            "INSERT INTO run_usage (tenant_id, day, shard, tokens, cost) VALUES ($1, '2020-01-01', 0, 1, 0), ($1, current_date, 0, 2, 0)",
            workspace.id,
        )
    await jobs.prune(worker_db)
    async with worker_db.tx(workspace.system) as tx:
        assert [row["requests"] for row in await tx.fetch("SELECT requests FROM request_counts")] == [6]
        assert [row["tokens"] for row in await tx.fetch("SELECT tokens FROM run_usage")] == [2]
