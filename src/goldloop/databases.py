"""Where a process or a command gets its database, and that it has its schema. A composition root; loads nothing of the concepts."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from goldloop.kit.db import WORKER_ROLE, Database, connect, open_database
from goldloop.kit.embedded_postgres import HolderKind, embedded_postgres
from goldloop.kit.settings import Settings
from goldloop.migrations import runner as migrations

log = logging.getLogger("goldloop")

WAIT_FOR_DATABASE = 60  # seconds; a database that starts together with us may be slower than we are


@dataclass(frozen=True, slots=True, kw_only=True)
class Urls:
    """The addresses of the database: possibly through a pooler, and direct."""

    pooled: str
    direct: str


@contextlib.asynccontextmanager
async def database_urls(settings: Settings, holder: HolderKind) -> AsyncIterator[Urls]:
    """The database of the settings, or the embedded one, started if nobody else runs it."""
    if settings.database_url:
        yield Urls(pooled=settings.database_url, direct=settings.direct_url or settings.database_url)
        return
    async with embedded_postgres(settings.data_dir, holder) as postgres:
        yield Urls(pooled=postgres.url, direct=postgres.url)


async def migrate(urls: Urls, patience: int = WAIT_FOR_DATABASE) -> None:
    connection = await _connect_with_retries(urls.direct, patience)
    try:
        for migration in await migrations.up(connection):
            log.info("migrated", extra={"version": migration.version, "migration": migration.name})
        state = await migrations.status(connection)
        if state.newer:
            log.warning(
                "the schema is that of a newer version, beside which this one goes on: upgrade it soon",
                extra={"unknown": state.unknown},
            )
    finally:
        await connection.close()


async def wait_for_database(urls: Urls) -> None:
    """Until it answers, which may take a while where it is being started again."""
    await (await _connect_with_retries(urls.direct, WAIT_FOR_DATABASE)).close()


async def is_empty(urls: Urls) -> bool:
    """Whether nothing was ever migrated here."""
    connection = await connect(urls.direct)
    try:
        return not (await migrations.status(connection)).applied
    finally:
        await connection.close()


async def _connect_with_retries(url: str, patience: int) -> Any:
    for _ in range(patience):
        try:
            return await connect(url)
        except (OSError, ConnectionError) as error:
            log.warning("the database does not answer yet: %s", error)
            await asyncio.sleep(1)
    return await connect(url)


@contextlib.asynccontextmanager
async def opened(settings: Settings, urls: Urls, role: str = WORKER_ROLE) -> AsyncIterator[Database]:
    async with open_database(
        urls.pooled, role=role, size=settings.pool_size, statement_cache=settings.statement_cache
    ) as db:
        yield db
