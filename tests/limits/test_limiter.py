"""Processes count by themselves, and tell each other: what a limit allows is shared, and asks the database nothing."""

import asyncio
from collections.abc import Callable
from typing import Any

from goldloop.app import build_app
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.limits import jobs
from goldloop.limits.limiter import Limiter
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.limits.conftest import PLAIN, Clock, Process, ask, left, set_limits
from tests.servers import eventually


async def rested(process: Process) -> None:
    """Until it has nothing to settle any more."""

    async def rests() -> bool:
        return process.limiter._settling is None or process.limiter._settling.done()

    await eventually(rests)


async def test_two_processes_share_what_a_limit_allows(
    workspace: Workspace, make_process: Callable[[], Process]
) -> None:
    _, secret = await workspace.make_key(Role.VIEWER)
    admin = await workspace.client()
    await set_limits(admin, key_requests_per_minute=6)
    one, two = make_process(), make_process()
    workspace.app = one.app
    first = await workspace.client_with(secret)
    workspace.app = two.app
    second = await workspace.client_with(secret)
    assert await ask(first, 4) == [200] * 4
    await rested(one)
    assert (await second.get(PLAIN)).status_code == 200  # knows nothing of the others before it has settled
    await rested(two)
    answer = await second.get(PLAIN)
    assert (answer.status_code, left(answer)) == (200, {"key": 0})
    assert await ask(second, 2) == [429, 429]
    await rested(two)
    assert await ask(first, 1) == [200]  # the overshoot: what the other let in since this one has settled
    await rested(one)
    assert await ask(first, 2) == [429, 429]


async def test_a_process_that_dies_takes_what_it_had_not_settled(
    workspace: Workspace, make_process: Callable[[], Process]
) -> None:
    key, secret = await workspace.make_key(Role.VIEWER)
    admin = await workspace.client()
    await set_limits(admin, key_requests_per_minute=100)
    dying, heir = make_process(), make_process()
    workspace.app = dying.app
    client = await workspace.client_with(secret)
    await ask(client, 5)
    await rested(dying)
    await ask(client, 3)
    assert dying.limiter._settling is not None
    dying.limiter._settling.cancel()  # killed before it told of the last three
    workspace.app = heir.app
    other = await workspace.client_with(secret)
    await ask(other, 1)
    await rested(heir)
    assert left(await other.get(PLAIN))["key"] in (100 - 5 - 2, 100 - 8 - 2)


async def test_counting_asks_the_database_nothing_and_rests_when_nothing_comes(
    workspace: Workspace, db: Database, auth: Authenticator, outside: Outside, clock: Clock
) -> None:
    class Counting:
        """A pool that counts how often a connection is lent, which each statement and each transaction needs."""

        def __init__(self, pool: Any) -> None:
            self.pool, self.lent = pool, 0

        def __getattr__(self, name: str) -> Any:
            return getattr(self.pool, name)

        async def acquire(self, **how: Any) -> Any:
            self.lent += 1
            return await self.pool.acquire(**how)

    of_requests, of_limits = Counting(db.pool), Counting(db.pool)
    own = Authenticator(db=Database(pool=of_requests), secret=auth.secret, listening=True)
    limiter = Limiter(Database(pool=of_limits), own, clock)
    process = Process(
        build_app(own.db, own, Feed(db=own.db, url="", auth=own), outside, limiter=limiter), limiter
    )
    await set_limits(await workspace.client(), requests_per_minute=1000, key_requests_per_minute=500)
    workspace.app = process.app
    client = await workspace.client(Role.VIEWER)
    await ask(client, 1)
    await rested(process)
    own._recorded.update(dict.fromkeys(own._recorded))  # that it was used is recorded
    known, loaded = of_requests.lent, of_limits.lent
    assert await ask(client, 20) == [200] * 20
    assert of_requests.lent == known + 20  # the read itself, and nothing else
    await rested(process)
    settled = of_limits.lent
    assert settled - loaded < 20  # about one a second
    await asyncio.sleep(0)
    assert limiter._settling is not None
    assert limiter._settling.done()
    assert of_limits.lent == settled


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
