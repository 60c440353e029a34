"""The single interface to PostgreSQL: `Database` is a connection pool, `Tx` is one transaction of one actor.

A transaction's first message is `BEGIN` together with its role, tenant and actor, so that
row-level security costs no round trip of its own; nothing set there outlives the transaction.
A hot write that is one call of a function is a single message: `Autocommit`. So is each query of a transaction that
only reads, and each that a transaction asks or writes by itself: `Deferred`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol

import asyncpg

from goldloop.kit.actors import Actor as Actor
from goldloop.kit.actors import ActorKind as ActorKind
from goldloop.kit.at_once import APP_ROLE as APP_ROLE
from goldloop.kit.at_once import ORIGIN, call_at_once, call_sql
from goldloop.kit.connection_quota import ConnectionQuota, quota_for
from goldloop.kit.connections import commit, roll_back, terminate
from goldloop.kit.connections import connect as connect
from goldloop.kit.deferred import Deferred
from goldloop.kit.distribution import PLAIN, SHARDED, Settings, is_distributed
from goldloop.kit.pool import ConnectionPool

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
NOT_DONE = (
    TimeoutError,
    asyncpg.QueryCanceledError,
)  # in time, or ended by an operator: it is not tried again
TRIED_AGAIN = (asyncpg.TransactionRollbackError,)  # two transactions were in each other's way

log = logging.getLogger("goldloop.db")


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

    async def fetch_page(self, sql: str, *args: Any) -> asyncpg.Record | None:
        """The row of a list that is read off an index in its order, whoever's it is: $1 is the tenant. Its plan is kept."""
        if not isinstance(self.connection, Deferred):
            return await self.fetchrow(sql, *args)
        row: asyncpg.Record | None = await self.connection.fetch_page(sql, *args)
        return row

    async def fetchval(self, sql: str, *args: Any) -> Any:
        return await self.connection.fetchval(sql, *args)

    async def execute(self, sql: str, *args: Any) -> int:
        """Run a statement; returns how many rows it touched."""
        status: str = await self.connection.execute(sql, *args)
        return int(status.rsplit(" ", 1)[-1]) if status[-1:].isdigit() else 0

    async def look(self, sql: str, *args: Any) -> asyncpg.Record | None:
        """A row that is all that is asked, or no more than a hint: what is written afterwards checks it again. Until the
        transaction has begun it is asked without one."""
        row: asyncpg.Record | None = await (
            self.connection.ask_by_itself(sql, args)
            if isinstance(self.connection, Deferred)
            else self.connection.fetchrow(sql, *args)
        )
        return row

    async def write_alone(self, sql: str, *args: Any) -> asyncpg.Record | None:
        """A function that is all that this transaction writes, in a message of its own: it is committed when it returns, so
        whatever may be refused is refused by the function, or before it, and it does nothing when it is called again. Where
        the transaction has begun it is a part of it."""
        row: asyncpg.Record | None = await (
            self.connection.ask_by_itself(sql, args, writes=True)
            if isinstance(self.connection, Deferred)
            else self.connection.fetchrow(sql, *args)
        )
        return row

    async def call(self, function: str, *args: Any) -> Any:
        """What a function returns, several columns as a tuple."""
        return await self.connection.fetchval(f"SELECT {call_sql(function, len(args))}", *args)

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
        if isinstance(self.connection, Deferred):
            await self.connection.act_as(actor)
        else:
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


@dataclass(slots=True)
class Database:
    """A connection pool, the role of its transactions, and the quota of connections per workspace."""

    pool: ConnectionPool
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

    def tx(self, actor: Actor) -> "AbstractAsyncContextManager[Tx]":
        """Open a transaction. Raises TimeoutError when no connection of the pool or of the workspace's quota is free in time."""
        return _Transaction(self, actor)

    def beginning(self, actor: Actor) -> str:
        """The first message of a transaction. What only reads leaves no event that would say where it came from."""
        settings = actor.settings_sql()
        if self.read_only:
            return self.settings.begin("BEGIN READ ONLY", self.role, settings)
        return self.settings.begin("BEGIN", self.role, f"{settings}; SET LOCAL {ORIGIN}='{actor.origin()}'")

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
            async with _Transaction(self, actor) as tx:
                return await tx.call(function, *args)
        sql = call_at_once(function, len(args))
        async with self._share(actor):
            connection, found = await self.run_first(
                lambda lent: lent.fetchval(sql, *args, *actor.settings(), actor.origin(), self.role)
            )
            self.pool.give(connection)
        return found

    @asynccontextmanager
    async def anonymous(self) -> AsyncIterator[Any]:
        """A transaction without a tenant: only the functions that look up a secret return rows in it."""
        async with self._transaction("SET LOCAL app.tenant=''; SET LOCAL app.user_id=''") as connection:
            yield connection

    @asynccontextmanager
    async def _transaction(self, settings: str, begin: str | None = None) -> AsyncIterator[Any]:
        begin = begin or ("BEGIN READ ONLY" if self.read_only else "BEGIN")
        connection = await self.begin(self.settings.begin(begin, self.role, settings))
        try:
            try:
                yield connection
            except BaseException:
                await roll_back(connection)
                raise
            await commit(connection)
        finally:
            self.pool.give(connection)

    @asynccontextmanager
    async def as_login(self) -> AsyncIterator[Any]:
        """A transaction of the login itself, which owns the schema: for what tells of the installation and of nobody in it."""
        connection = await self.begin("BEGIN READ ONLY; SET LOCAL ROLE NONE")
        try:
            yield connection
        finally:
            await self._take_back(connection)

    async def _take_back(self, connection: Any) -> None:
        """Ends whatever was begun on a connection, and puts it back."""
        try:
            await roll_back(connection)
        finally:  # also when it is cancelled anew while it rolls back
            self.pool.give(connection)

    async def begin(self, begin: str) -> Any:
        connection, _ = await self.run_first(lambda lent: lent.execute(begin))
        return connection

    async def run_first(self, act: Callable[[Any], Awaitable[Any]]) -> tuple[Any, Any]:
        """Lend a connection and do what it is lent for. An idle one that turns out to be lost is replaced."""
        tries = 1
        while True:
            connection = await self.pool.take(LEND_SECONDS)
            try:
                if self.pool.is_to_plan_anew(connection):
                    await connection.execute("DISCARD PLANS")
                return connection, await act(connection)
            except BaseException as error:
                if isinstance(error, NOT_DONE) or not isinstance(error, LOST):
                    await self._take_back(connection)
                    raise
                terminate(connection)
                self.pool.give(connection)
                if tries == BEGIN_TRIES:
                    raise
                log.info("a lost connection is replaced", extra={"error": repr(error)})
            tries += 1


class _Transaction:
    """The context in which a `Tx` is open. Written out: the two of `contextlib` that it would be cost a tenth of a read."""

    __slots__ = ("_actor", "_db", "_lent", "_tx")

    def __init__(self, db: Database, actor: Actor) -> None:
        self._db = db
        self._actor = actor

    async def __aenter__(self) -> Tx:
        db, actor = self._db, self._actor
        if not db.quota.try_acquire(actor.tenant_id):
            await db.quota.wait(actor.tenant_id, LEND_SECONDS)
        try:
            deferred = db.settings.at_once and db.role == db.pool.role
            self._lent: Any = Deferred(db, actor) if deferred else await db.begin(db.beginning(actor))
        except BaseException:
            db.quota.release(actor.tenant_id)
            raise
        self._tx = Tx(connection=self._lent, actor=actor)
        return self._tx

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        db, lent = self._db, self._lent
        try:
            if isinstance(lent, Deferred):
                await lent.end(failed=error is not None)
            else:
                try:
                    await (commit(lent) if error is None else roll_back(lent))
                finally:
                    db.pool.give(lent)
        finally:
            db.quota.release(self._actor.tenant_id)
        if error is None:
            for act in self._tx.after_commit:
                act()


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
    await connection.execute(f"{actor.settings_sql()}; SET LOCAL {ORIGIN}='{actor.origin()}'")
    return Tx(connection=connection, actor=actor)


@asynccontextmanager
async def open_database(
    url: str, *, role: str = APP_ROLE, size: int = 16, statement_cache: int = 100, pooler: bool = True
) -> AsyncIterator[Database]:
    """`pooler`: whether others may have the server's connection between two of our transactions. Where nobody has, the role of
    requests is that of the connection, and what only reads needs no transaction around it."""

    async def open_one() -> Any:
        connection = await connect(url, statement_cache=statement_cache, command_timeout=60)
        try:
            if not pooler:
                await connection.execute(f"SET ROLE {APP_ROLE}")
        except BaseException:
            connection.terminate()
            raise
        return connection

    pool = ConnectionPool(open_one, size, None if pooler else APP_ROLE)
    async with pool.acquire() as connection:  # and whether it can be reached at all
        settings = SHARDED if await is_distributed(connection) else PLAIN
    try:
        yield Database(pool=pool, role=role, settings=settings)
    finally:
        await _close(pool)


async def _close(pool: ConnectionPool) -> None:
    """Gives running statements a moment to finish; hanging ones do not keep the process from ending."""
    try:
        await asyncio.wait_for(pool.close(), CLOSE_SECONDS)
    except TimeoutError:
        pool.terminate()
        log.warning("a connection to the database was still in use %.0f s after the end", CLOSE_SECONDS)
