"""A concurrency limit per workspace: one call of a workspace runs at a time, and only a few may wait."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

from goldloop.kit.errors import TooManyRequests

Found = TypeVar("Found")


@dataclass(slots=True)
class TenantLimiter:
    """`per_workspace` and `in_all` bound the calls that run or wait; beyond that `busy` is raised."""

    per_workspace: int
    in_all: int
    busy: type[TooManyRequests]
    _calls: Counter[UUID] = field(default_factory=Counter)
    _locks: dict[UUID, asyncio.Lock] = field(default_factory=dict)

    async def run(self, tenant_id: UUID, act: Callable[[], Awaitable[Found]]) -> Found:
        if self._calls[tenant_id] >= self.per_workspace or self._calls.total() >= self.in_all:
            raise self.busy(headers={"Retry-After": "1"})
        return await self.run_always(tenant_id, act)

    async def run_always(self, tenant_id: UUID, act: Callable[[], Awaitable[Found]]) -> Found:
        """Waits however many wait already: for calls that nobody could repeat, and of which there are few."""
        self._calls[tenant_id] += 1
        running = asyncio.ensure_future(self._run_alone(tenant_id, act))
        return await asyncio.shield(running)  # it runs to its end even when the caller is cancelled

    async def _run_alone(self, tenant_id: UUID, act: Callable[[], Awaitable[Found]]) -> Found:
        try:
            async with self._locks.setdefault(tenant_id, asyncio.Lock()):
                return await act()
        finally:
            self._calls[tenant_id] -= 1
            if not self._calls[tenant_id]:
                del self._calls[tenant_id], self._locks[tenant_id]
