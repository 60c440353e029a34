"""A transaction begins on a living connection, also after the database was restarted."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest

from goldloop.kit.db import Actor, Database, open_database
from tests.factories import Workspace
from tests.servers import end_connections


async def _pid(db: Database, actor: Actor) -> int:
    async with db.tx(actor) as tx:
        pid: int = await tx.fetchval("SELECT pg_backend_pid()")
        await tx.fetchval("SELECT pg_sleep(0.05)")  # long enough that each transaction has its own connection
        return pid


def _end_unnoticed(url: str, pids: Sequence[int]) -> None:
    """In a thread that the event loop waits for, so that it has read nothing when the next transaction begins."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(end_connections(url, pids))).result()


async def _lose_its_connection(db: Database, actor: Actor, url: str) -> None:
    async with db.tx(actor) as tx:
        await end_connections(url, [await tx.fetchval("SELECT pg_backend_pid()")])
        await tx.fetchval("SELECT 1")


async def test_nobody_notices_that_idle_connections_were_lost(
    database_url: str, workspace: Workspace
) -> None:
    async with open_database(database_url, size=4) as db:
        before = await asyncio.gather(*(_pid(db, workspace.system) for _ in range(4)))
        _end_unnoticed(database_url, before)
        after = await asyncio.gather(*(_pid(db, workspace.system) for _ in range(4)))
        assert len(set(before)) == 4
        assert not set(before) & set(after)


async def test_a_transaction_whose_connection_is_lost_fails_and_the_next_one_does_not(
    database_url: str, workspace: Workspace
) -> None:
    async with open_database(database_url, size=1) as db:
        with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError)):
            await _lose_its_connection(db, workspace.system, database_url)
        assert await _pid(db, workspace.system)


async def test_a_transaction_that_cannot_begin_gives_its_connection_back(
    database_url: str, workspace: Workspace
) -> None:
    async with open_database(database_url, size=1) as db:
        for _ in range(2):
            with pytest.raises(asyncpg.InvalidParameterValueError):
                async with Database(pool=db.pool, role="nobody_at_all").tx(workspace.system):
                    raise AssertionError("it began")
        assert await _pid(db, workspace.system)
