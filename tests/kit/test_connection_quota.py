"""What one workspace may hold of the connections."""

import asyncio
from uuid import UUID

import pytest

from goldloop.kit.connection_quota import ConnectionQuota, quota_for

A, B = UUID(int=1), UUID(int=2)


@pytest.mark.parametrize(("size", "share"), [(1, 1), (2, 1), (3, 2), (4, 3), (16, 12), (500, 375)])
def test_a_share_is_three_quarters_and_never_nothing(size: int, share: int) -> None:
    assert quota_for(size) == share


async def test_each_workspace_has_its_own_share() -> None:
    quota = ConnectionQuota(1)
    assert (quota.try_acquire(A), quota.try_acquire(A), quota.try_acquire(B)) == (True, False, True)
    quota.release(A)
    assert (quota.has_room(A), quota.has_room(B)) == (True, False)


async def test_a_share_goes_to_who_came_first_and_passes_over_who_has_gone() -> None:
    quota, order = ConnectionQuota(1), []

    async def work(name: str) -> None:
        await quota.wait(A, 60)
        order.append(name)
        quota.release(A)

    assert quota.try_acquire(A)
    first, gone, last = (asyncio.create_task(work(name)) for name in ("first", "gone", "last"))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    quota.release(A)
    await asyncio.gather(first, last)
    assert order == ["first", "last"]
    assert quota.has_room(A)


async def test_a_share_that_comes_as_the_waiting_is_given_up_is_not_lost() -> None:
    quota = ConnectionQuota(1)
    assert quota.try_acquire(A)
    waiting = asyncio.create_task(quota.wait(A, 60))
    await asyncio.sleep(0)
    quota.release(A)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert quota.has_room(A)
