"""Writes bodies of requests, those that arrive together in one transaction. Infrastructure.

A transaction costs a write to the disk, whatever is in it. While one of a workspace is being committed, what comes waits
and goes into the next; nobody waits for a timer. Whoever asked is answered after the commit of what they sent.
"""

import asyncio
import logging
from collections import Counter, deque
from dataclasses import dataclass, field
from uuid import UUID

from goldloop.kit.db import Database
from goldloop.kit.errors import Unavailable
from goldloop.otlp import store
from goldloop.otlp.model import Batch
from goldloop.tenants.auth.actors import system_actor

log = logging.getLogger("goldloop.otlp")

WRITERS = 1  # transactions of one workspace at once
GROUP_REQUESTS = 200  # of one transaction
GROUP_BYTES = 8 * 1024 * 1024
MOST_WAITING_BYTES = (
    64 * 1024 * 1024
)  # of all workspaces in this process; whoever comes then is told to try again


class Busy(Unavailable):
    """More is waiting to be written than this process should hold in memory."""

    code, title = "intake_busy", "More spans arrive than can be stored at the moment: try again"


@dataclass(slots=True)
class _Waiting:
    batch: Batch
    written: asyncio.Future[None]


@dataclass(slots=True)
class GroupWriter:
    db: Database
    _waiting: dict[UUID, deque[_Waiting]] = field(default_factory=dict)
    _writers: Counter[UUID] = field(default_factory=Counter)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _bytes: int = 0

    async def write(self, tenant_id: UUID, batch: Batch) -> None:
        """Returns when it is committed. Raises what the database raised, or Busy."""
        if self._bytes + len(batch.body) > MOST_WAITING_BYTES:
            raise Busy
        waiting = _Waiting(batch, asyncio.get_running_loop().create_future())
        self._bytes += len(batch.body)
        self._waiting.setdefault(tenant_id, deque()).append(waiting)
        if self._writers[tenant_id] < WRITERS:
            self._writers[tenant_id] += 1
            task = asyncio.create_task(self._run(tenant_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            await waiting.written
        finally:
            self._bytes -= len(batch.body)

    async def _run(self, tenant_id: UUID) -> None:
        """Writes until nothing waits."""
        try:
            while group := self._next_group(tenant_id):
                await self._write(tenant_id, group)
        finally:
            self._writers[tenant_id] -= 1
            if not self._writers[tenant_id]:
                del self._writers[tenant_id]

    def _next_group(self, tenant_id: UUID) -> list[_Waiting]:
        waiting = self._waiting.get(tenant_id)
        group: list[_Waiting] = []
        size = 0
        while waiting and len(group) < GROUP_REQUESTS and (not group or size < GROUP_BYTES):
            group.append(waiting.popleft())
            size += len(group[-1].batch.body)
        if waiting is not None and not waiting:
            del self._waiting[tenant_id]
        return group

    async def _write(self, tenant_id: UUID, group: list[_Waiting]) -> None:
        try:
            async with self.db.tx(system_actor(tenant_id)) as tx:
                await store.add(tx, [each.batch for each in group])
        except BaseException as error:
            if isinstance(error, Exception):
                log.warning("spans could not be stored and are to be sent again: %s", error)
            _tell(group, error if isinstance(error, Exception) else Unavailable("The server is stopping"))
            if not isinstance(error, Exception):
                raise
        else:
            _tell(group, None)


def _tell(group: list[_Waiting], error: Exception | None) -> None:
    for each in group:
        if each.written.done():
            continue
        if error is None:
            each.written.set_result(None)
        else:
            each.written.set_exception(error)
            each.written.exception()  # whoever waited may be gone
