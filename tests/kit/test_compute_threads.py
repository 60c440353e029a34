"""Counting: threads of its own, one count of a workspace at a time, few waiting."""

import asyncio
import threading
from collections.abc import Iterator
from uuid import uuid4

import pytest

from goldloop.kit import compute_threads
from goldloop.kit.compute_threads import CountingBusy, run, run_always


class Gate:
    """What is counted behind it waits until it opens."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.most = self.now = 0

    def count(self) -> str:
        self.now += 1
        self.most = max(self.most, self.now)
        assert self.open.wait(60)
        self.now -= 1
        return threading.current_thread().name


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.open.set()


async def test_a_count_runs_in_a_thread_for_counting_alone() -> None:
    assert (await run(uuid4(), Gate.count, _opened())).startswith("goldloop-compute")


def _opened() -> Gate:
    gate = Gate()
    gate.open.set()
    return gate


async def test_one_count_of_a_workspace_runs_at_a_time_and_another_workspace_goes_on(gate: Gate) -> None:
    ours, theirs = uuid4(), uuid4()
    waiting = [asyncio.ensure_future(run(ours, gate.count)) for _ in range(3)]
    assert await run(theirs, lambda: "counted") == "counted"
    gate.open.set()
    await asyncio.gather(*waiting)
    assert gate.most == 1


async def test_beyond_the_queue_a_count_is_refused_with_when_to_try_again(gate: Gate) -> None:
    ours = uuid4()
    waiting = [asyncio.ensure_future(run(ours, gate.count)) for _ in range(compute_threads.PER_WORKSPACE)]
    await asyncio.sleep(0)
    with pytest.raises(CountingBusy) as refused:
        await run(ours, gate.count)
    assert refused.value.headers == {"Retry-After": "1"}
    begun = asyncio.ensure_future(run_always(ours, lambda: "begun"))
    gate.open.set()
    await asyncio.gather(*waiting)
    assert await begun == "begun"
    assert await run(ours, lambda: "again") == "again"


async def test_whoever_no_longer_waits_keeps_the_turn_until_the_count_is_done(gate: Gate) -> None:
    ours = uuid4()
    left = asyncio.ensure_future(run(ours, gate.count))
    await asyncio.sleep(0.05)
    left.cancel()
    next_one = asyncio.ensure_future(run(ours, gate.count))
    await asyncio.sleep(0.05)
    gate.open.set()
    await next_one
    assert gate.most == 1


async def test_a_failed_count_gives_its_turn_back() -> None:
    ours = uuid4()

    def fail() -> None:
        raise ZeroDivisionError

    for _ in range(compute_threads.PER_WORKSPACE + 1):
        with pytest.raises(ZeroDivisionError):
            await run(ours, fail)
