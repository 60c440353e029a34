"""A quota of database connections per workspace, so that a busy workspace never takes all of a process's connections.

A caller that waits for its workspace's quota holds no connection meanwhile. While nobody waits it costs two counters.
"""

import asyncio
from collections import deque
from uuid import UUID


def quota_for(size: int) -> int:
    """Three quarters: a single busy workspace is hardly slower for it, and a quarter is there for the others."""
    return max(1, size * 3 // 4)


class ConnectionQuota:
    def __init__(self, most: int) -> None:
        self.most = most
        self._in_use: dict[UUID, int] = {}
        self._waiting: dict[UUID, deque[asyncio.Future[None]]] = {}

    def has_room(self, tenant_id: UUID) -> bool:
        return self._in_use.get(tenant_id, 0) < self.most

    def try_acquire(self, tenant_id: UUID) -> bool:
        """False when the quota is used up: call `wait`."""
        in_use = self._in_use.get(tenant_id, 0)
        if in_use >= self.most:
            return False
        self._in_use[tenant_id] = in_use + 1
        return True

    async def wait(self, tenant_id: UUID, seconds: float) -> None:
        """First come, first served. Raises TimeoutError."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant_id, deque()).append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.release(tenant_id)  # granted in the moment in which the caller gave up
            raise

    def release(self, tenant_id: UUID) -> None:
        """Hands the connection to the next caller that waits, or counts it as free."""
        waiting = self._waiting.get(tenant_id, ())
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._waiting.pop(tenant_id, None)
        in_use = self._in_use.pop(tenant_id) - 1
        if in_use:
            self._in_use[tenant_id] = in_use
