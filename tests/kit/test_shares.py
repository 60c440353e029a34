"""What one workspace may hold of the connections."""

import asyncio
from uuid import UUID

import pytest

from goldloop.kit.shares import Shares, share_of

A, B = UUID(int=1), UUID(int=2)


@pytest.mark.parametrize(("size", "share"), [(1, 1), (2, 1), (3, 2), (4, 3), (16, 12), (500, 375)])
def test_a_share_is_three_quarters_and_never_nothing(size: int, share: int) -> None:
    assert share_of(size) == share


async def test_each_workspace_has_its_own_share() -> None:
    shares = Shares(1)
    assert (shares.take(A), shares.take(A), shares.take(B)) == (True, False, True)
    shares.give(A)
    assert (shares.is_free(A), shares.is_free(B)) == (True, False)


async def test_a_share_goes_to_who_came_first_and_passes_over_who_has_gone() -> None:
    shares, order = Shares(1), []

    async def work(name: str) -> None:
        await shares.wait(A, 60)
        order.append(name)
        shares.give(A)

    assert shares.take(A)
    first, gone, last = (asyncio.create_task(work(name)) for name in ("first", "gone", "last"))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    shares.give(A)
    await asyncio.gather(first, last)
    assert order == ["first", "last"]
    assert shares.is_free(A)


async def test_a_share_that_comes_as_the_waiting_is_given_up_is_not_lost() -> None:
    shares = Shares(1)
    assert shares.take(A)
    waiting = asyncio.create_task(shares.wait(A, 60))
    await asyncio.sleep(0)
    shares.give(A)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert shares.is_free(A)
