"""A pool of connections to PostgreSQL. Infrastructure.

asyncpg's own pool resets, shields and wraps a connection each time it is lent, which costs more than many of our
statements do. Nothing of ours outlives a transaction, so here a connection is lent as it is and put back as it is: whoever
had it says when it is not to be used again, by ending it.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

IDLE_SECONDS = 300.0  # a connection that nobody needed for so long is closed, but for the last one
# PostgreSQL keeps plans, also of foreign keys, until it has analysed a table. One that was made while a table was empty may read
# all of a workspace's rows later. By so many uses a new database has rows enough for plans that hold.
PLANS_ANEW_AFTER = frozenset({100, 1_000, 10_000})


def _closed() -> ConnectionError:
    return ConnectionError("the pool of connections is closed")


class ConnectionPool:
    """`connect` makes a connection; `role` is the role that each of them has outside of transactions, where it has one."""

    def __init__(self, connect: Callable[[], Awaitable[Any]], most: int, role: str | None = None) -> None:
        self._connect = connect
        self._most = most
        self.role = role
        # With how often it was lent and when it was put back, the last one at the right.
        self._idle: deque[tuple[Any, int, float]] = deque()
        self._lent: dict[Any, int] = {}  # with how often it was lent before
        self._opening = 0
        self._handed = 0  # to who waited, and is not there yet to take them
        self._waiting: deque[asyncio.Future[tuple[Any, int] | None]] = deque()
        self._pruning: asyncio.TimerHandle | None = None
        self._closed = False
        self._came_back: asyncio.Future[None] | None = None  # for who closes it

    def get_max_size(self) -> int:
        return self._most

    def get_size(self) -> int:
        return len(self._idle) + len(self._lent) + self._handed + self._opening

    def get_idle_size(self) -> int:
        return len(self._idle)

    async def take(self, seconds: float) -> Any:
        """A connection, to be given back by `give`, first come, first served. Raises TimeoutError when none is free in time."""
        if self._closed:
            raise _closed()
        found = self._take_idle()  # there is none while somebody waits
        if found is None:
            async with asyncio.timeout(seconds):
                found = await self._open_or_wait()
        connection, lent_before = found
        self._lent[connection] = lent_before
        return connection

    def is_to_plan_anew(self, connection: Any) -> bool:
        """Whether one that is lent now should forget the plans it has kept."""
        return self._lent[connection] in PLANS_ANEW_AFTER

    def give(self, connection: Any) -> None:
        """Hands a connection to who waits first, or puts it back; one that has ended is forgotten, and whoever waits may open
        another."""
        lent_before = self._lent.pop(connection)
        if connection.is_closed():
            self._wake()
        elif self._closed:
            connection.terminate()
            self._wake()
        else:
            self._pass_on(connection, lent_before + 1)

    @asynccontextmanager
    async def acquire(self, timeout: float = 10.0) -> AsyncIterator[Any]:
        connection = await self.take(timeout)
        try:
            yield connection
        except BaseException:
            connection.terminate()  # what it was doing is not known here
            raise
        finally:
            self.give(connection)

    async def close(self) -> None:
        """Waits until all connections are back, and closes them. Whoever waits for one is told at once."""
        self._closed = True
        if self._pruning:
            self._pruning.cancel()
        while (turn := self._next_turn()) is not None:
            turn.set_exception(_closed())
        while self._lent or self._handed or self._opening:
            self._came_back = asyncio.get_running_loop().create_future()
            await self._came_back
        while self._idle:
            await self._idle.pop()[0].close()

    def terminate(self) -> None:
        """Ends all connections at once, also those that are lent."""
        self._closed = True
        for connection in [*(idle for idle, _, _ in self._idle), *self._lent]:
            connection.terminate()
        self._idle.clear()

    def _take_idle(self) -> tuple[Any, int] | None:
        """The one that was used last: the others may be let go of."""
        while self._idle:
            connection, lent_before, _ = self._idle.pop()
            if not connection.is_closed():
                return connection, lent_before
        return None

    async def _open_or_wait(self) -> tuple[Any, int]:
        if self.get_size() < self._most:
            self._opening += 1
            return await self._open(), 0
        turn: asyncio.Future[tuple[Any, int] | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            found = await turn
        except BaseException:
            if not turn.done() or turn.cancelled():
                with suppress(
                    ValueError
                ):  # somebody who had a connection to hand on has passed us over already
                    self._waiting.remove(turn)
            elif turn.exception() is None:
                self._leave_to_others(turn.result())  # it was our turn in the moment in which we gave up
            raise
        if found is None:
            return await self._open(), 0
        self._handed -= 1
        return found

    def _leave_to_others(self, handed: tuple[Any, int] | None) -> None:
        if handed is None:
            self._opening -= 1
            self._wake()
            return
        self._handed -= 1
        connection, lent_before = handed
        self._lent[connection] = lent_before - 1
        self.give(connection)

    async def _open(self) -> Any:
        """In a place that is counted in `_opening`."""
        try:
            opened = await self._connect()
        except BaseException:
            self._opening -= 1
            self._wake()
            raise
        self._opening -= 1
        return opened

    def _pass_on(self, connection: Any, lent_before: int) -> None:
        turn = self._next_turn()
        if turn is not None:
            self._handed += 1
            turn.set_result((connection, lent_before))
            return
        self._idle.append((connection, lent_before, time.monotonic()))
        self._prune_later()

    def _wake(self) -> None:
        """There is room for a connection: who waits first may open one, and nobody takes the place meanwhile."""
        if self._came_back is not None and not self._came_back.done():
            self._came_back.set_result(None)
        turn = self._next_turn()
        if turn is not None:
            self._opening += 1
            turn.set_result(None)

    def _next_turn(self) -> "asyncio.Future[tuple[Any, int] | None] | None":
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                return turn
        return None

    def _prune_later(self) -> None:
        if self._pruning is None and len(self._idle) > 1:
            self._pruning = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._prune)

    def _prune(self) -> None:
        self._pruning = None
        before = time.monotonic() - IDLE_SECONDS
        while len(self._idle) > 1 and self._idle[0][-1] <= before:
            self._idle.popleft()[0].terminate()
        self._prune_later()
