"""The single way for workspaces to take turns at what few can do at once: one act of a workspace at a time, few waiting."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

from goldloop.kit.errors import TooManyRequests

Found = TypeVar("Found")


@dataclass(slots=True)
class Turns:
    """`per_workspace` and `in_all` are acts at work or waiting; beyond that `busy` is raised."""

    per_workspace: int
    in_all: int
    busy: type[TooManyRequests]
    _asking: Counter[UUID] = field(default_factory=Counter)
    _locks: dict[UUID, asyncio.Lock] = field(default_factory=dict)

    async def take(self, tenant_id: UUID, act: Callable[[], Awaitable[Found]]) -> Found:
        if self._asking[tenant_id] >= self.per_workspace or self._asking.total() >= self.in_all:
            raise self.busy(headers={"Retry-After": "1"})
        return await self.wait(tenant_id, act)

    async def wait(self, tenant_id: UUID, act: Callable[[], Awaitable[Found]]) -> Found:
        """For what nobody can try again, and of which there are few."""
        self._asking[tenant_id] += 1
        taken = asyncio.ensure_future(self._in_turn(tenant_id, act))
        return await asyncio.shield(taken)  # whoever no longer waits has its turn all the same

    async def _in_turn(self, tenant_id: UUID, act: Callable[[], Awaitable[Found]]) -> Found:
        try:
            async with self._locks.setdefault(tenant_id, asyncio.Lock()):
                return await act()
        finally:
            self._asking[tenant_id] -= 1
            if not self._asking[tenant_id]:
                del self._asking[tenant_id], self._locks[tenant_id]
