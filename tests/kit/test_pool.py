"""A connection is lent to one at a time, put back as it is, and forgotten once it has ended."""

import asyncio
from dataclasses import dataclass, field

import pytest

from goldloop.kit import pool as kit
from goldloop.kit.pool import ConnectionPool
from tests.servers import eventually


@dataclass(eq=False)
class Line:
    """A connection to nobody."""

    number: int
    ended: bool = False

    def is_closed(self) -> bool:
        return self.ended

    def terminate(self) -> None:
        self.ended = True

    async def close(self) -> None:
        self.ended = True


@dataclass
class Exchange:
    """Where lines are opened, and refused while `away`."""

    opened: list[Line] = field(default_factory=list)
    away: bool = False

    async def connect(self) -> Line:
        await asyncio.sleep(0)
        if self.away:
            raise OSError("nobody answers")
        self.opened.append(Line(len(self.opened)))
        return self.opened[-1]


@pytest.fixture
def exchange() -> Exchange:
    return Exchange()


async def test_the_connection_that_was_used_last_is_lent_next(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 3)
    first, second = await pool.take(1), await pool.take(1)
    pool.give(first)
    pool.give(second)
    assert await pool.take(1) is second
    assert len(exchange.opened) == 2
    assert (pool.get_size(), pool.get_idle_size(), pool.get_max_size()) == (2, 1, 3)


async def test_no_more_are_open_than_may_be_and_who_waits_gets_the_next_in_turn(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    held = await pool.take(1)
    waiting = [asyncio.create_task(pool.take(5)) for _ in range(3)]
    await asyncio.sleep(0)
    for task in waiting:
        pool.give(held)
        assert await task is held
    assert len(exchange.opened) == 1


async def test_waiting_ends_in_time(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    held = await pool.take(1)
    with pytest.raises(TimeoutError):
        await pool.take(0.01)
    pool.give(held)
    assert await pool.take(1) is held


async def test_who_gives_up_in_the_moment_of_their_turn_passes_it_on(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    held = await pool.take(1)
    leaves, stays = asyncio.create_task(pool.take(5)), asyncio.create_task(pool.take(5))
    await asyncio.sleep(0)
    pool.give(held)
    leaves.cancel()
    assert await stays is held
    with pytest.raises(asyncio.CancelledError):
        await leaves


async def test_a_connection_that_has_ended_is_replaced(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    held = await pool.take(1)
    waiting = asyncio.create_task(pool.take(5))
    await asyncio.sleep(0)
    held.terminate()
    pool.give(held)
    assert await waiting is not held
    idle = await waiting
    pool.give(idle)
    idle.terminate()  # while nobody has it
    assert (await pool.take(1)).number == 2


async def test_what_cannot_be_opened_takes_no_room(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    exchange.away = True
    for _ in range(2):
        with pytest.raises(OSError, match="nobody answers"):
            await pool.take(1)
    exchange.away = False
    assert await pool.take(1)


async def test_what_fails_with_a_connection_ends_it(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    with pytest.raises(ValueError, match="half way"):
        async with pool.acquire() as connection:
            raise ValueError("half way")
    assert connection.ended
    async with pool.acquire() as another:
        assert another is not connection


async def test_connections_that_nobody_needs_are_let_go_of_but_for_one(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kit, "IDLE_SECONDS", 0.01)
    pool = ConnectionPool(exchange.connect, 3)
    for lent in [await pool.take(1) for _ in range(3)]:
        pool.give(lent)

    async def few() -> bool:
        return pool.get_idle_size() == 1

    await eventually(few)
    assert [line.ended for line in exchange.opened] == [True, True, False]


async def test_it_closes_when_all_are_back(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 2)
    idle, held = await pool.take(1), await pool.take(1)
    pool.give(idle)
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0)
    assert not closing.done()
    pool.give(held)
    await closing
    assert idle.ended
    assert held.ended
    with pytest.raises(ConnectionError):
        await pool.take(1)


async def test_who_waits_when_it_closes_is_told_and_keeps_nobody_from_closing_it(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    held = await pool.take(1)
    waiting = [asyncio.create_task(pool.take(30)) for _ in range(3)]
    await asyncio.sleep(0)
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0)
    pool.give(held)
    async with asyncio.timeout(10):
        await closing
    for task in waiting:
        with pytest.raises(ConnectionError):
            await task


async def test_a_connection_forgets_its_plans_while_a_database_is_young_and_keeps_them_later(
    exchange: Exchange,
) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    anew = []
    for lent_before in range(max(kit.PLANS_ANEW_AFTER) + 200):
        line = await pool.take(1)
        if pool.is_to_plan_anew(line):
            anew.append(lent_before)
        pool.give(line)
    assert anew == sorted(kit.PLANS_ANEW_AFTER)


async def test_a_connection_that_replaces_another_counts_from_its_own_beginning(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    for _ in range(min(kit.PLANS_ANEW_AFTER)):
        pool.give(await pool.take(1))
    line = await pool.take(1)
    assert pool.is_to_plan_anew(line)
    line.terminate()
    pool.give(line)
    assert not pool.is_to_plan_anew(await pool.take(1))


async def test_who_waits_is_served_before_who_comes_later(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    line = await pool.take(1)
    waiting = asyncio.create_task(pool.take(10))
    await asyncio.sleep(0)
    pool.give(line)
    later = asyncio.create_task(pool.take(10))  # asks before the other has run on
    assert await waiting is line
    assert not later.done()
    assert pool.get_size() == 1
    pool.give(line)
    assert await later is line


async def test_nobody_starves_beside_those_who_ask_again_at_once(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 2)
    served = [0] * 6

    async def ask_again(who: int) -> None:
        for _ in range(50):
            line = await pool.take(10)
            served[who] += 1
            await asyncio.sleep(0)
            if sum(served) >= 120:
                pool.give(line)
                return
            pool.give(line)

    await asyncio.gather(*(ask_again(who) for who in range(6)))
    assert min(served) >= 10, served


async def test_who_gives_up_while_it_waits_leaves_nothing_behind(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    line = await pool.take(1)
    with pytest.raises(TimeoutError):
        await pool.take(0.001)
    pool.give(line)
    assert (pool.get_size(), pool.get_idle_size()) == (1, 1)
    assert await pool.take(1) is line


async def test_who_gives_up_in_its_turn_leaves_the_connection_to_the_next(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    line = await pool.take(1)
    first, second = asyncio.create_task(pool.take(10)), asyncio.create_task(pool.take(10))
    await asyncio.sleep(0)
    pool.give(line)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await second is line
    pool.give(line)
    await pool.close()
    assert line.is_closed()


async def test_who_gives_up_before_a_connection_comes_back_is_told_just_that(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    line = await pool.take(1)
    first, second, third = [asyncio.create_task(pool.take(10)) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()
    second.cancel()
    pool.give(line)  # before either has run on
    assert await third is line
    assert [await asyncio.wait([each]) and each.cancelled() for each in (first, second)] == [True, True]
    pool.give(line)
    assert (pool.get_size(), pool.get_idle_size()) == (1, 1)


async def test_who_waits_keeps_the_turn_where_a_connection_was_lost(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 1)
    line = await pool.take(1)
    served: list[str] = []

    async def take(name: str) -> None:
        taken = await pool.take(10)
        served.append(name)
        pool.give(taken)

    waiting = [asyncio.create_task(take(name)) for name in ("first", "second")]
    await asyncio.sleep(0)
    late = asyncio.create_task(take("late"))
    line.terminate()
    pool.give(line)
    await asyncio.gather(*waiting, late)
    assert served == ["first", "second", "late"]
    assert pool.get_size() == 1


async def test_a_closed_pool_lends_nothing(exchange: Exchange) -> None:
    pool = ConnectionPool(exchange.connect, 2)
    lent = await pool.take(1)
    pool.give(await pool.take(1))
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0)
    with pytest.raises(ConnectionError):
        await pool.take(1)
    pool.give(lent)
    await closing
    assert pool.get_size() == 0
