"""One connection to PostgreSQL: how it is made, and how what was begun on it ends. Infrastructure."""

from contextlib import suppress
from typing import Any

import asyncpg
import msgspec


async def roll_back(connection: Any) -> None:
    try:
        await connection.execute("ROLLBACK", timeout=5)
    except Exception:  # the server ends the transaction with its connection
        terminate(connection)
    except BaseException:  # cancelled anew: nobody waits until it is done
        terminate(connection)
        raise


async def commit(connection: Any) -> None:
    try:
        await connection.execute("COMMIT")
    except asyncpg.PostgresError:  # refused, and so over
        raise
    except BaseException:
        terminate(connection)
        raise


def terminate(connection: Any) -> None:
    with suppress(asyncpg.InterfaceError):  # it may be gone already
        connection.terminate()


async def _prepare(connection: Any) -> None:
    async with connection.transaction():  # one server connection throughout, behind a pooler too
        for name in ("json", "jsonb"):
            await connection.set_type_codec(
                name,
                schema="pg_catalog",
                encoder=lambda value: msgspec.json.encode(value).decode(),
                decoder=msgspec.json.decode,
            )


async def connect(url: str, *, statement_cache: int = 100, **more: Any) -> Any:
    """One connection of its own, for LISTEN and for migrations."""
    connection = await asyncpg.connect(url, statement_cache_size=statement_cache, **more)
    try:
        await _prepare(connection)
    except BaseException:
        connection.terminate()
        raise
    return connection
