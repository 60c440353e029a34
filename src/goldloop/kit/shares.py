"""How many of a process's connections one workspace may hold at once, so that it never keeps all others waiting.

Whoever waits for the share of its own workspace holds no connection meanwhile. Counters alone: nothing here is
noticed while nobody waits.
"""

import asyncio
from collections import deque
from uuid import UUID


def share_of(size: int) -> int:
    """Three quarters: a single busy workspace is hardly slower for it, and a quarter is there for the others."""
    return max(1, size * 3 // 4)


class Shares:
    def __init__(self, most: int) -> None:
        self.most = most
        self._held: dict[UUID, int] = {}
        self._waiting: dict[UUID, deque[asyncio.Future[None]]] = {}

    def is_free(self, tenant_id: UUID) -> bool:
        return self._held.get(tenant_id, 0) < self.most

    def take(self, tenant_id: UUID) -> bool:
        """False where it is to be waited for."""
        held = self._held.get(tenant_id, 0)
        if held >= self.most:
            return False
        self._held[tenant_id] = held + 1
        return True

    async def wait(self, tenant_id: UUID, seconds: float) -> None:
        """In the order in which they came. Raises TimeoutError."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant_id, deque()).append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.give(tenant_id)  # it came at the moment at which nobody waited any more
            raise

    def give(self, tenant_id: UUID) -> None:
        """Back, or on to the next who waits."""
        waiting = self._waiting.get(tenant_id, ())
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._waiting.pop(tenant_id, None)
        held = self._held.pop(tenant_id) - 1
        if held:
            self._held[tenant_id] = held
