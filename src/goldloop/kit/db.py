"""The single interface to PostgreSQL: `Database` is a connection pool, `Tx` is one transaction of one actor.

A transaction's first message is `BEGIN` together with its role, tenant and actor, so that
row-level security costs no round trip of its own; nothing set there outlives the transaction.
A hot write that is one call of a function is a single message: `Autocommit`.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, Protocol
from uuid import UUID

import asyncpg
import msgspec

from goldloop.kit.connection_quota import ConnectionQuota, quota_for
from goldloop.kit.distribution import PLAIN, SHARDED, Settings, is_distributed
from goldloop.kit.errors import Forbidden
from goldloop.kit.permissions import Permissions
from goldloop.kit.request_origin import origin

APP_ROLE = "goldloop_app"
WORKER_ROLE = "goldloop_worker"
ERASER_ROLE = "goldloop_eraser"  # may change and delete what is only added to, within an erasure
LEND_SECONDS = 10  # a request that waits longer for a connection is better told so
CLOSE_SECONDS = 10.0
COPY_SECONDS = 24 * 3600.0  # of one table; what is slow is whoever takes it
BEGIN_TRIES = 4  # others may take the connection that replaces a lost one
LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # the server shuts down, or an operator ends the connection
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # its end has come in, but was not read yet
    OSError,
)
TRIED_AGAIN = (asyncpg.TransactionRollbackError,)  # two transactions were in each other's way

log = logging.getLogger("goldloop.db")

_SETTINGS = ("app.tenant", "app.user_id", "app.actor", "app.permissions")
_ORIGIN = "app.origin"  # by which key, from where and in which request, for the event log
_GRANT = re.compile(r"[a-z_*]+\.[a-z_*]+\.[a-z_*]+")


class ActorKind(StrEnum):
    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who acts, in which tenant, and what they may do."""

    tenant_id: UUID
    kind: ActorKind
    id: UUID | None
    name: str
    permissions: Permissions
    key_id: UUID | None = None
    role: str = ""

    def check(self, permission: str) -> None:
        if not self.permissions.allow(permission):
            raise Forbidden(f"This needs the permission {permission}")

    def may(self, permission: str) -> bool:
        return self.permissions.allow(permission)

    def settings_sql(self) -> str:
        """The transaction's settings as SQL; every value is an id, an enum or a checked pattern."""
        return _settings_sql(self)

    def origin(self) -> str:
        """By which key and from where it acts now."""
        return f"{self.key_id or ''}|{origin()}"


@lru_cache(maxsize=4096)  # the same few actors open nearly all transactions
def _settings(actor: Actor) -> tuple[str, ...]:
    """The values of `_SETTINGS`, in that order."""
    user = str(actor.id) if actor.kind is ActorKind.USER else ""
    granted = ",".join(g for g in actor.permissions.listed() if _GRANT.fullmatch(g))
    return str(actor.tenant_id), user, f"{actor.kind}:{actor.id or ''}", granted


@lru_cache(maxsize=4096)
def _settings_sql(actor: Actor) -> str:
    values = zip(_SETTINGS, _settings(actor), strict=True)
    return "; ".join(f"SET LOCAL {name}='{value}'" for name, value in values)


class Caller(Protocol):
    """Who can call a function of the database: a transaction, or what is a transaction by itself."""

    @property
    def actor(self) -> Actor: ...

    async def call(self, function: str, *args: Any) -> Any: ...


@dataclass(slots=True)
class Tx:
    """An open transaction of one actor. Only an entry point opens one; it commits once."""

    connection: Any  # an asyncpg connection lent by the pool
    actor: Actor
    after_commit: list[Any] = field(default_factory=list)
    happened: list[Any] = field(default_factory=list)  # the events of this transaction, in order

    async def fetch(self, sql: str, *args: Any) -> list[asyncpg.Record]:
        rows: list[asyncpg.Record] = await self.connection.fetch(sql, *args)
        return rows

    async def fetchrow(self, sql: str, *args: Any) -> asyncpg.Record | None:
        row: asyncpg.Record | None = await self.connection.fetchrow(sql, *args)
        return row

    async def fetchval(self, sql: str, *args: Any) -> Any:
        return await self.connection.fetchval(sql, *args)

    async def execute(self, sql: str, *args: Any) -> int:
        """Run a statement; returns how many rows it touched."""
        status: str = await self.connection.execute(sql, *args)
        return int(status.rsplit(" ", 1)[-1]) if status[-1:].isdigit() else 0

    async def call(self, function: str, *args: Any) -> Any:
        """What a function returns, several columns as a tuple."""
        return await self.connection.fetchval(f"SELECT {_call(function, len(args))}", *args)

    async def moment(self) -> datetime:
        """The time at the database now, for a row that is locked already: an UPDATE takes it as a parameter."""
        at: datetime = await self.connection.fetchval("SELECT clock_timestamp()")
        return at

    async def began(self) -> datetime:
        """What now() is in this transaction, for where an UPDATE takes a parameter alone."""
        at: datetime = await self.connection.fetchval("SELECT now()")
        return at

    async def acting_as(self, actor: Actor) -> "Tx":
        """The same transaction, from now on in the name of another of its tenant's actors."""
        await self.connection.execute(actor.settings_sql())
        return replace(self, actor=actor)

    async def executemany(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        await self.connection.executemany(sql, rows)

    async def copy_out(self, sql: str, write: Callable[[bytes], Awaitable[None]]) -> int:
        """Write the one column of a query, a line for each row, piece by piece: the database waits while `write` does. Its
        values hold no line break and none of the control characters that COPY would have to mark. How many rows."""
        status: str = await self.connection.copy_from_query(
            sql,
            output=write,
            timeout=COPY_SECONDS,
            format="csv",
            quote="\x01",
            escape="\x01",
            delimiter="\x02",
        )
        return int(status.rsplit(" ", 1)[-1])


@lru_cache(maxsize=256)
def _call(function: str, count: int) -> str:
    return f"{function}({', '.join(f'${n + 1}' for n in range(count))})"


@lru_cache(maxsize=256)
def _call_at_once(function: str, count: int) -> str:
    """The settings come first: the function is called for the row that says that they are made."""
    settings = [
        f"set_config('{name}', ${count + n + 1}, true)"
        for n, name in enumerate((*_SETTINGS, _ORIGIN, "role"))
    ]
    return (
        f"SELECT {_call(function, count)} "
        f"FROM (SELECT ROW({', '.join(settings)}) IS NOT NULL AS made OFFSET 0) s WHERE s.made"
    )


class _Connection(asyncpg.Connection):
    def get_reset_query(self) -> str:
        return ""  # nothing outlives a transaction, so there is nothing to reset


@dataclass(slots=True)
class Database:
    """A connection pool, the role of its transactions, and the quota of connections per workspace."""

    pool: Any
    role: str = APP_ROLE
    quota: ConnectionQuota = field(default=None, repr=False)  # type: ignore[assignment]
    read_only: bool = False
    settings: Settings = PLAIN

    def __post_init__(self) -> None:
        self.quota = self.quota or ConnectionQuota(quota_for(self.pool.get_max_size()))

    def in_role(self, role: str) -> "Database":
        """The same pool and quota, with another role."""
        return replace(self, role=role)

    def reading(self) -> "Database":
        """The same connections, in whose transactions PostgreSQL refuses to write."""
        return replace(self, read_only=True)

    @asynccontextmanager
    async def tx(self, actor: Actor) -> AsyncIterator[Tx]:
        """Open a transaction. Raises TimeoutError when no connection of the pool or of the workspace's quota is free in time."""
        async with self._share(actor), self._transaction(self._settings_of(actor)) as connection:
            tx = Tx(connection=connection, actor=actor)
            yield tx
        for act in tx.after_commit:
            act()

    def _settings_of(self, actor: Actor) -> str:
        """What only reads leaves no event that would say where it came from."""
        settings = actor.settings_sql()
        return settings if self.read_only else f"{settings}; SET LOCAL {_ORIGIN}='{actor.origin()}'"

    @asynccontextmanager
    async def snapshot(self, actor: Actor) -> AsyncIterator[Tx]:
        """A transaction that only reads, and in which all is as it was at its first query, however long it takes."""
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        async with self._share(actor), self._transaction(actor.settings_sql(), begin) as connection:
            yield Tx(connection=connection, actor=actor)

    @asynccontextmanager
    async def _share(self, actor: Actor) -> AsyncIterator[None]:
        if not self.quota.try_acquire(actor.tenant_id):
            await self.quota.wait(actor.tenant_id, LEND_SECONDS)
        try:
            yield
        finally:
            self.quota.release(actor.tenant_id)

    def autocommit(self, actor: Actor) -> "Autocommit":
        if self.read_only:
            raise RuntimeError("what only reads calls nothing that commits by itself")
        return Autocommit(self, actor)

    async def call(self, actor: Actor, function: str, args: Sequence[Any]) -> Any:
        """A transaction of its own, in one message where that is possible. Raises TimeoutError as `tx` does."""
        if not self.settings.at_once:
            async with self._share(actor), self._transaction(self._settings_of(actor)) as connection:
                return await Tx(connection=connection, actor=actor).call(function, *args)
        sql = _call_at_once(function, len(args))
        async with self._share(actor):
            connection, found = await self._run_first(
                lambda lent: lent.fetchval(sql, *args, *_settings(actor), actor.origin(), self.role)
            )
            await self.pool.release(connection)
        return found

    @asynccontextmanager
    async def anonymous(self) -> AsyncIterator[Any]:
        """A transaction without a tenant: only the functions that look up a secret return rows in it."""
        async with self._transaction("SET LOCAL app.tenant=''; SET LOCAL app.user_id=''") as connection:
            yield connection

    @asynccontextmanager
    async def _transaction(self, settings: str, begin: str | None = None) -> AsyncIterator[Any]:
        begin = begin or ("BEGIN READ ONLY" if self.read_only else "BEGIN")
        connection = await self._begin(self.settings.begin(begin, self.role, settings))
        try:
            try:
                yield connection
            except BaseException:
                await _roll_back(connection)
                raise
            await connection.execute("COMMIT")
        finally:
            await self.pool.release(connection)

    async def _begin(self, begin: str) -> Any:
        connection, _ = await self._run_first(lambda lent: lent.execute(begin))
        return connection

    async def _run_first(self, act: Callable[[Any], Awaitable[Any]]) -> tuple[Any, Any]:
        """Lend a connection and do what it is lent for. An idle one that turns out to be lost is replaced."""
        tries = 1
        while True:
            connection = await self.pool.acquire(timeout=LEND_SECONDS)
            try:
                return connection, await act(connection)
            except LOST as error:
                _terminate(connection)
                await self.pool.release(connection)
                if tries == BEGIN_TRIES:
                    raise
                log.info("a lost connection is replaced", extra={"error": repr(error)})
            except BaseException:
                try:
                    await _roll_back(connection)
                finally:  # also when it is cancelled anew while it rolls back
                    await self.pool.release(connection)
                raise
            tries += 1


@dataclass(frozen=True, slots=True)
class Autocommit:
    """One actor's calls of functions, each a transaction of its own and a single message to the database. Only for functions
    that do nothing when they are called again: a call whose connection was lost is repeated."""

    database: Database
    actor: Actor

    async def call(self, function: str, *args: Any) -> Any:
        return await self.database.call(self.actor, function, args)


async def go_on_as(connection: Any, actor: Actor) -> Tx:
    """Turns an anonymous transaction into that of an actor whom it has just made."""
    await connection.execute(f"{actor.settings_sql()}; SET LOCAL {_ORIGIN}='{actor.origin()}'")
    return Tx(connection=connection, actor=actor)


async def _roll_back(connection: Any) -> None:
    try:
        await connection.execute("ROLLBACK", timeout=5)
    except Exception:  # the server ends the transaction with its connection
        _terminate(connection)


def _terminate(connection: Any) -> None:
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


async def connect(url: str, *, statement_cache: int = 100) -> Any:
    """One connection of its own, for LISTEN and for migrations."""
    connection = await asyncpg.connect(
        url, statement_cache_size=statement_cache, connection_class=_Connection
    )
    await _prepare(connection)
    return connection


@asynccontextmanager
async def open_database(
    url: str, *, role: str = APP_ROLE, size: int = 16, statement_cache: int = 100
) -> AsyncIterator[Database]:
    pool = await asyncpg.create_pool(
        url,
        min_size=1,
        max_size=size,
        statement_cache_size=statement_cache,
        connection_class=_Connection,
        init=_prepare,
        command_timeout=60,
    )
    try:
        async with pool.acquire() as connection:
            settings = SHARDED if await is_distributed(connection) else PLAIN
        yield Database(pool=pool, role=role, settings=settings)
    finally:
        await _close(pool)


async def _close(pool: asyncpg.Pool) -> None:
    """Gives running statements a moment to finish; hanging ones do not keep the process from ending."""
    try:
        await asyncio.wait_for(pool.close(), CLOSE_SECONDS)
    except TimeoutError:  # the pool has ended its connections then
        log.warning("a connection to the database was still in use %.0f s after the end", CLOSE_SECONDS)
