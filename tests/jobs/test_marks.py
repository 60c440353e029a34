"""Marks on real runners: coalesced, one at a time per key, capped, fair, never in a writer's way.

The derived state of these tests is a row that counts facts; it is right when it equals what is there.
"""

import asyncio
import contextlib
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from goldloop.jobs import marks as engine
from goldloop.jobs import retries, service, store
from goldloop.jobs.marks import MarkRunner
from goldloop.jobs.model import Mark, MarkNotFound
from goldloop.kit.clock import now
from goldloop.kit.db import WORKER_ROLE, Actor, Database, Tx, connect, open_database
from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS, mark, set_marks
from tests.factories import Workspace, make_workspace
from tests.outside import embedded_outside
from tests.servers import eventually

pytestmark = pytest.mark.usefixtures("registry")

OUTSIDE = embedded_outside(Path("never-written"))

SCRATCH = """
CREATE TABLE IF NOT EXISTS scratch_facts (tenant_id uuid, key text);
CREATE TABLE IF NOT EXISTS scratch_counts (tenant_id uuid, key text, facts integer, PRIMARY KEY (tenant_id, key));
GRANT SELECT, INSERT, UPDATE ON scratch_facts, scratch_counts TO goldloop_app, goldloop_worker;
TRUNCATE scratch_facts, scratch_counts, marks;
"""


class RebuildFailed(Exception):
    pass


OPEN = asyncio.Event()
OPEN.set()


@dataclass
class Bench:
    """Counts facts under marks, and watches how the rebuilding goes."""

    db: Database
    url: str
    workspace: Workspace
    rebuilt: Counter[str] = field(default_factory=Counter)
    order: list[tuple[UUID, str]] = field(default_factory=list)
    active: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    overlaps: int = 0
    most_active: int = 0
    began: asyncio.Event = field(default_factory=asyncio.Event)

    def register(
        self, kind: str = "test.counts", *, seconds: float = 0.0, gate: asyncio.Event = OPEN, cap: int = 10
    ) -> None:
        """A rebuild that takes so long, and does not end before the gate opens."""

        @mark(kind, cap=cap)
        async def recount(tx: Tx, key: str) -> None:
            with self.watched(tx.actor, key):
                await count_facts(tx, key)
                await asyncio.sleep(seconds)
                await gate.wait()

    def register_leased(
        self, kind: str = "test.counts", *, seconds: float = 0.0, gate: asyncio.Event = OPEN, cap: int = 10
    ) -> None:
        @mark(kind, cap=cap)
        async def recount(db: Database, actor: Actor, key: str) -> None:
            with self.watched(actor, key):
                async with db.tx(actor) as tx:
                    await count_facts(tx, key)
                await asyncio.sleep(seconds)
                await gate.wait()

    @contextlib.contextmanager
    def watched(self, actor: Actor, key: str) -> Any:
        self.active[key] += 1
        self.overlaps += self.active[key] > 1
        self.most_active = max(self.most_active, sum(self.active.values()))
        self.began.set()
        try:
            yield
            self.rebuilt[key] += 1
            self.order.append((actor.tenant_id, key))
        finally:
            self.active[key] -= 1

    async def write(self, *keys: str, kind: str = "test.counts", workspace: Workspace | None = None) -> None:
        """A fact under each key, as a request would write it."""
        async with self.db.tx((workspace or self.workspace).system) as tx:
            await add_facts(tx, *keys)
            await set_marks(tx, kind, keys)

    async def drain(self, kind: str = "test.counts") -> int:
        return await MarkRunner(self.db, OUTSIDE).drain(MARKS[kind])

    async def counts(self) -> dict[str, int]:
        async with self.db.tx(self.workspace.system) as tx:
            rows = await tx.fetch(
                "SELECT key, facts FROM scratch_counts WHERE tenant_id = $1", tx.actor.tenant_id
            )
        return {row["key"]: row["facts"] for row in rows}

    async def marks(self) -> list[Mark]:
        async with self.db.tx(self.workspace.system) as tx:
            return (await service.list_marks(tx, None, 1000)).data

    async def no_marks(self) -> bool:
        return not await self.marks()

    @contextlib.asynccontextmanager
    async def runners(self, number: int) -> AsyncIterator[None]:
        """Separate runners, each with connections of its own, as separate worker processes have."""
        async with contextlib.AsyncExitStack() as stack:
            tasks = []
            for _ in range(number):
                db = await stack.enter_async_context(open_database(self.url, role=WORKER_ROLE, size=5))
                tasks.append(asyncio.create_task(MarkRunner(db, OUTSIDE).run()))
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)


async def add_facts(tx: Tx, *keys: str) -> None:
    for key in keys:
        await tx.execute(
            "INSERT INTO scratch_facts (tenant_id, key) VALUES ($1, $2)", tx.actor.tenant_id, key
        )


async def count_facts(tx: Tx, key: str) -> None:
    """Read, then write: two rebuilds at once would lose one of them."""
    facts = await tx.fetchval(
        "SELECT count(*) FROM scratch_facts WHERE tenant_id = $1 AND key = $2", tx.actor.tenant_id, key
    )
    await tx.execute(
        "INSERT INTO scratch_counts VALUES ($1, $2, $3) ON CONFLICT (tenant_id, key) DO UPDATE SET facts = $3",
        tx.actor.tenant_id,
        key,
        facts,
    )


@pytest_asyncio.fixture
async def bench(module_database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    monkeypatch.setattr(engine, "POLL_SECONDS", 0.05)
    connection = await connect(module_database_url)
    await connection.execute(SCRATCH)
    await connection.close()
    async with (
        open_database(module_database_url, role=WORKER_ROLE, size=20) as db,
        make_workspace(db) as workspace,
    ):
        yield Bench(db=db, url=module_database_url, workspace=workspace)


async def test_a_mark_of_a_transaction_that_rolls_back_never_exists(bench: Bench) -> None:
    bench.register()
    with contextlib.suppress(RuntimeError):
        async with bench.db.tx(bench.workspace.system) as tx:
            await set_marks(tx, "test.counts", ["a"])
            assert len((await service.list_marks(tx, None, 10)).data) == 1
            raise RuntimeError
    assert await bench.marks() == []
    assert await bench.drain() == 0


async def test_no_keys_are_no_marks(bench: Bench) -> None:
    bench.register()
    await bench.write()
    assert await bench.marks() == []


async def test_many_writes_of_a_key_before_its_rebuild_are_one_mark_and_one_rebuild(bench: Bench) -> None:
    bench.register()
    for _ in range(20):
        await bench.write("a", "a", "b")
    assert sorted(m.key for m in await bench.marks()) == ["a", "b"]
    assert await bench.drain() == 2
    assert await bench.counts() == {"a": 40, "b": 20}
    assert await bench.marks() == []


async def test_200_writers_and_4_runners_end_with_the_right_values_and_far_fewer_rebuilds(
    bench: Bench,
) -> None:
    bench.register(seconds=0.02)
    keys = [f"key-{n}" for n in range(5)]
    async with bench.runners(4):
        await asyncio.gather(*(bench.write(keys[n % 5]) for n in range(200)))
        await eventually(bench.no_marks)
    assert await bench.counts() == dict.fromkeys(keys, 40)
    assert bench.overlaps == 0
    assert 5 <= bench.rebuilt.total() <= 100


async def test_no_two_runners_rebuild_one_key_at_once(bench: Bench) -> None:
    bench.register(seconds=0.15)
    async with bench.runners(2):
        for _ in range(15):
            await asyncio.gather(bench.write("a"), bench.write("a"), asyncio.sleep(0.05))
        await eventually(bench.no_marks)
    assert bench.rebuilt["a"] >= 3  # it was written while it was being rebuilt, again and again
    assert bench.overlaps == 0
    assert await bench.counts() == {"a": 30}


@pytest.mark.parametrize("leased", [False, True], ids=["in a transaction", "leased"])
async def test_no_more_than_the_cap_of_a_kind_run_at_once_over_all_runners(
    bench: Bench, leased: bool
) -> None:
    register = bench.register_leased if leased else bench.register
    register(seconds=0.1, cap=2)
    await bench.write(*(f"key-{n}" for n in range(12)))
    async with bench.runners(3):
        await eventually(bench.no_marks)
    assert bench.rebuilt.total() == 12
    assert bench.most_active == 2


async def test_a_writer_never_waits_for_a_rebuild_and_its_change_is_rebuilt_after_it(bench: Bench) -> None:
    gate = asyncio.Event()
    bench.register(gate=gate)
    await bench.write("a")
    async with bench.runners(1):
        await bench.began.wait()
        await asyncio.wait_for(bench.write("a"), 60)  # which would not end if it waited for the rebuild
        assert bench.active["a"] == 1
        gate.set()
        await eventually(bench.no_marks)
    assert bench.rebuilt["a"] == 2
    assert await bench.counts() == {"a": 2}


async def test_writers_of_one_key_do_not_wait_for_each_other_and_none_is_lost(bench: Bench) -> None:
    bench.register()
    await bench.write("a")  # the mark that both find
    async with bench.db.tx(bench.workspace.system) as first:
        await add_facts(first, "a")
        await set_marks(first, "test.counts", ["a"])
        await asyncio.wait_for(bench.write("a"), 20)  # would wait for ever: the first commits after it
        assert await bench.drain() == 0, "a mark was taken before its writer committed"
    assert await bench.drain() == 1
    assert await bench.counts() == {"a": 3}


async def test_a_new_mark_is_seen_only_when_its_writer_has_committed(bench: Bench) -> None:
    bench.register()
    async with bench.db.tx(bench.workspace.system) as slow:
        await add_facts(slow, "a")
        await set_marks(slow, "test.counts", ["a"])
        await bench.write("a")
        assert await bench.drain() == 1
        assert await bench.counts() == {"a": 1}
    assert await bench.drain() == 1
    assert await bench.counts() == {"a": 2}


async def test_a_tenant_with_one_mark_does_not_queue_behind_another_with_two_hundred(bench: Bench) -> None:
    bench.register()
    await bench.write(*(f"key-{n:03}" for n in range(200)))
    async with make_workspace(bench.db) as small:
        await bench.write("only", workspace=small)
        assert await bench.drain() == 201
    assert (small.id, "only") in bench.order[:3]


async def test_rebuilds_of_one_tenant_that_hang_leave_room_for_those_of_another(bench: Bench) -> None:
    gate = asyncio.Event()

    @mark("test.counts", in_process=3, share=2)
    async def hang(db: Database, actor: Actor, key: str) -> None:
        with bench.watched(actor, key):
            if actor.tenant_id == bench.workspace.id:
                await gate.wait()

    await bench.write("a", "b", "c", "d")
    async with make_workspace(bench.db) as other, bench.runners(1):
        await eventually(lambda: _true(sum(bench.active.values()) == 2))
        await bench.write("e", "f", workspace=other)
        await eventually(lambda: _true(bench.rebuilt.keys() == {"e", "f"}))
        assert sum(bench.active.values()) == 2
        gate.set()
        await eventually(bench.no_marks)
    assert sum(bench.rebuilt.values()) == 6


async def _true(fact: bool) -> bool:
    return fact


async def test_three_tenants_are_served_in_turn(bench: Bench) -> None:
    bench.register()
    async with make_workspace(bench.db) as second, make_workspace(bench.db) as third:
        tenants = [bench.workspace, second, third]
        for workspace in tenants:
            await bench.write(*(f"key-{n}" for n in range(5)), workspace=workspace)
        await bench.drain()
    turns = [tenant for tenant, _ in bench.order]
    assert all(set(turns[n : n + 3]) == {w.id for w in tenants} for n in range(0, 15, 3))


async def test_a_tenant_sees_and_retries_only_its_own_marks(bench: Bench) -> None:
    bench.register()
    await bench.write("a")
    async with make_workspace(bench.db) as stranger, Database(pool=bench.db.pool).tx(stranger.system) as tx:
        assert (await service.list_marks(tx, None, 10)).data == []
        with pytest.raises(MarkNotFound):
            await service.retry_mark(tx, "test.counts", "a")


@pytest.mark.parametrize("leased", [False, True], ids=["in a transaction", "leased"])
async def test_a_failed_rebuild_keeps_its_mark_and_reason_and_is_tried_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, leased: bool
) -> None:
    monkeypatch.setattr(retries, "FIRST_WAIT", timedelta(minutes=2))
    broken = True
    if leased:

        @mark("test.counts")
        async def recount(db: Database, actor: Actor, key: str) -> None:
            if broken:
                raise RebuildFailed("no \x00 model")

    else:

        @mark("test.counts")
        async def recount_in_tx(tx: Tx, key: str) -> None:
            await count_facts(tx, key)
            if broken:
                raise RebuildFailed("no \x00 model")

    await bench.write("a")
    before = now()
    assert await bench.drain() == 1
    (left,) = await bench.marks()
    assert (left.attempts, left.last_error) == (1, "RebuildFailed: no  model")
    assert before + timedelta(minutes=2) <= left.due_at <= now() + timedelta(minutes=2)
    assert await bench.counts() == {}, "what a failed rebuild wrote is undone"
    assert await bench.drain() == 0, "it waits for its next try"

    async with bench.db.tx(bench.workspace.system) as tx:
        await service.retry_mark(tx, "test.counts", "a")
    assert await bench.drain() == 1
    (left,) = await bench.marks()
    assert left.attempts == 2

    broken = False
    monkeypatch.setattr(retries, "FIRST_WAIT", timedelta(seconds=0.1))
    async with bench.db.tx(bench.workspace.system) as tx:
        await service.retry_mark(tx, "test.counts", "a")
    assert await bench.drain() == 1
    assert await bench.marks() == []


async def test_a_failed_rebuild_is_tried_again_by_itself(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "FIRST_WAIT", timedelta(seconds=0.1))
    times: list[float] = []

    @mark("test.counts")
    async def recount(tx: Tx, key: str) -> None:
        times.append(time.monotonic())
        if len(times) < 3:
            raise RebuildFailed

    await bench.write("a")
    async with bench.runners(2):
        await eventually(bench.no_marks)
    assert times[1] - times[0] >= 0.1
    assert times[2] - times[1] >= 0.2
    assert len(times) == 3


@pytest.mark.parametrize("leased", [False, True], ids=["in a transaction", "leased"])
async def test_a_key_that_keeps_failing_keeps_one_mark_however_often_it_is_written(
    bench: Bench, leased: bool
) -> None:
    if leased:

        @mark("test.counts")
        async def recount(db: Database, actor: Actor, key: str) -> None:
            raise RebuildFailed

    else:

        @mark("test.counts")
        async def recount_in_tx(tx: Tx, key: str) -> None:
            raise RebuildFailed

    for _ in range(5):
        await bench.write("a")
        await bench.drain()
    assert len(await bench.marks()) == 1


async def test_one_failing_key_holds_up_no_other(bench: Bench) -> None:
    @mark("test.counts")
    async def recount(tx: Tx, key: str) -> None:
        if key == "bad":
            raise RebuildFailed
        await count_facts(tx, key)

    await bench.write("bad", "good-1", "good-2")
    assert await bench.drain() == 3
    assert await bench.counts() == {"good-1": 1, "good-2": 1}
    assert [m.key for m in await bench.marks()] == ["bad"]


async def test_one_that_cannot_be_rebuilt_holds_up_none_of_those_taken_with_it(bench: Bench) -> None:
    taken: list[list[str]] = []

    @mark("test.counts", at_once=10, durable=False, max_attempts=2)
    async def recount(tx: Tx, keys: list[str]) -> None:
        taken.append(sorted(keys))
        for key in sorted(keys):
            await count_facts(tx, key)
            if key == "bad":
                raise RebuildFailed

    await bench.write("bad", "good-1", "good-2")
    await bench.write("good-1")
    assert await bench.drain() == 3
    assert taken[0] == ["bad", "good-1", "good-2"]
    assert sorted(taken[1:]) == [["bad"], ["good-1"], ["good-2"]]
    assert await bench.counts() == {"good-1": 2, "good-2": 1}
    (failed,) = await bench.marks()
    assert (failed.key, failed.attempts) == ("bad", 1)
    await bench.write("good-3")
    async with bench.db.tx(bench.workspace.system) as tx:
        await tx.execute("UPDATE marks SET due_at = now() - interval '1 hour' WHERE attempts > 0")
    taken.clear()
    assert await bench.drain() == 2
    assert taken == [["bad"], ["good-3"]], "one that failed is taken alone"
    assert (await bench.marks())[0].due_at.year == 9999, "after so many tries nobody tries again"
    await bench.write("bad")
    assert await bench.drain() == 1, "until it is marked anew"
    assert [(each.key, each.attempts) for each in await bench.marks()] == [("bad", 1)]


async def test_a_slow_rebuild_does_not_keep_its_runner_from_others(bench: Bench) -> None:
    gate = asyncio.Event()

    @mark("test.counts")
    async def recount(tx: Tx, key: str) -> None:
        with bench.watched(tx.actor, key):
            await count_facts(tx, key)
            await (gate if key == "slow" else OPEN).wait()

    await bench.write("slow")
    async with bench.runners(1):
        await bench.began.wait()
        await asyncio.sleep(0.2)  # the runner has seen that there is nothing else to do
        await bench.write("quick")
        await eventually(lambda: _contains(bench.rebuilt, "quick"))
        assert bench.active["slow"] == 1
        gate.set()
        await eventually(bench.no_marks)


async def _contains(counter: Counter[str], key: str) -> bool:
    return counter[key] > 0


async def test_a_mark_renewed_while_it_is_leased_is_rebuilt_again(bench: Bench) -> None:
    gate = asyncio.Event()
    bench.register_leased(gate=gate)
    await bench.write("a")
    async with bench.runners(2):
        await bench.began.wait()
        await asyncio.wait_for(bench.write("a"), 60)  # which would not end if it waited for the rebuild
        assert bench.active["a"] == 1
        gate.set()
        await eventually(bench.no_marks)
    assert bench.rebuilt["a"] == 2
    assert bench.overlaps == 0
    assert await bench.counts() == {"a": 2}


async def test_a_leased_mark_that_nobody_renewed_is_gone_after_its_rebuild(bench: Bench) -> None:
    bench.register_leased()
    await bench.write("a")
    assert await bench.drain() == 1
    assert await bench.marks() == []
    assert bench.rebuilt["a"] == 1


async def test_the_lease_of_a_dead_worker_expires(bench: Bench) -> None:
    bench.register_leased()
    await bench.write("a")
    async with bench.db.anonymous() as connection:  # takes it and is never heard of again
        taken = await connection.fetchrow(
            "SELECT key FROM lease_mark('test.counts', $1, 10, $2)", engine.NO_TENANT, timedelta(hours=1)
        )
    assert taken["key"] == "a"
    assert await bench.drain() == 0
    await bench.write("a")  # renewed meanwhile: still one at a time
    assert await bench.drain() == 0
    async with bench.db.anonymous() as connection:  # the hour is over
        await connection.execute("UPDATE marks SET leased_until = clock_timestamp() WHERE key = 'a'")
    assert await bench.drain() == 1
    assert await bench.counts() == {"a": 2}
    assert await bench.marks() == []


async def test_a_worker_that_dies_in_a_rebuild_leaves_the_mark(bench: Bench) -> None:
    bench.register(seconds=30)
    await bench.write("a")
    task = asyncio.create_task(bench.drain())
    await bench.began.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    (left,) = await bench.marks()
    assert left.attempts == 0
    assert await bench.counts() == {}
    bench.register()
    assert await bench.drain() == 1
    assert await bench.counts() == {"a": 1}


async def test_a_rebuild_acts_as_the_system_in_the_tenant_of_its_mark(bench: Bench) -> None:
    seen: list[Any] = []

    @mark("test.counts")
    async def look(tx: Tx, key: str) -> None:
        slugs = [row["slug"] for row in await tx.fetch("SELECT slug FROM tenants")]
        seen.append((tx.actor.kind, slugs, await tx.fetchval("SELECT current_user")))

    async with make_workspace(bench.db) as other:
        await bench.write("a", workspace=other)
        await bench.drain()
    assert seen == [("system", [other.slug], WORKER_ROLE)]


async def test_a_listening_runner_is_woken_at_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "POLL_SECONDS", 30.0)
    bench.register()
    runner = MarkRunner(bench.db, OUTSIDE)
    task = asyncio.create_task(runner.run())
    connection = await connect(bench.url)
    await connection.add_listener("goldloop_marks", lambda _c, _p, _ch, kind: runner.notified(kind))
    try:
        await asyncio.sleep(0.3)  # it has looked, found nothing and waits
        await bench.write("a")
        await eventually(bench.no_marks, 20)  # it would look by itself in 30 s
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await connection.close()


@pytest.mark.parametrize("at_once", [1, 5])
async def test_a_rebuild_that_marks_its_own_key_runs_again(bench: Bench, at_once: int) -> None:
    seen: list[str] = []

    async def look(tx: Tx, key: str) -> None:
        seen.append(key)
        if len(seen) < 3:
            await set_marks(tx, "test.self", [key])

    if at_once == 1:
        mark("test.self")(look)
    else:

        @mark("test.self", at_once=at_once)
        async def look_at_all(tx: Tx, keys: Sequence[str]) -> None:
            await look(tx, keys[0])

    async with bench.db.tx(bench.workspace.system) as tx:
        await set_marks(tx, "test.self", ["a"])
    await bench.drain("test.self")
    assert seen == ["a"] * 3
    assert await bench.no_marks()


async def test_a_runner_without_work_looks_once_for_all_kinds(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "POLL_SECONDS", 0.01)
    bench.register()
    looked: list[int] = []
    took: list[str] = []
    look, take = store.list_due_kinds, store.take_marks

    async def count_looks(connection: Any, kinds: Sequence[str]) -> list[str]:
        looked.append(len(kinds))
        return await look(connection, kinds)

    async def count_takes(*args: Any) -> Any:
        took.append(args[1])
        return await take(*args)

    async def looked_often() -> bool:
        return len(looked) >= 5

    monkeypatch.setattr(store, "list_due_kinds", count_looks)
    monkeypatch.setattr(store, "take_marks", count_takes)
    task = asyncio.create_task(MarkRunner(bench.db, OUTSIDE).run())
    try:
        await eventually(looked_often, 20)
        assert took == []
        await bench.write("a")
        await eventually(bench.no_marks, 20)  # nobody told it
        assert set(took) == {"test.counts"}
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_rebuild_that_asks_for_what_is_outside_is_given_it(bench: Bench) -> None:
    given: list[Any] = []

    @mark("test.outside")
    async def rebuild(db: Database, actor: Actor, key: str, outside: Outside) -> None:
        given.append((key, outside))

    async with bench.db.tx(bench.workspace.system) as tx:
        await set_marks(tx, "test.outside", ["a"])
    assert await bench.drain("test.outside") == 1
    assert given == [("a", OUTSIDE)]
