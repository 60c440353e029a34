"""Transactions that begin with the first statement that needs one. Infrastructure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from goldloop.kit.at_once import ask_at_once, for_any_tenant
from goldloop.kit.connections import commit, roll_back

if TYPE_CHECKING:
    from goldloop.kit.db import Actor, Database


class Deferred:
    """The connection of a transaction, lent with its first statement, which begins it. What is asked at once does not: it is
    a single message that makes its settings itself. So is every query of what only reads: between two queries of a
    transaction others commit anyway, so BEGIN and COMMIT around queries would say nothing."""

    __slots__ = ("_actor", "_asking", "_begun", "_connection", "_db")

    def __init__(self, db: "Database", actor: "Actor") -> None:
        self._db = db
        self._actor = actor
        self._connection: Any = None
        self._begun = False
        self._asking = False  # a statement that was not answered to its end

    async def fetch(self, sql: str, *args: Any) -> Any:
        if self._db.read_only:
            return await self._ask("fetch", sql, args)
        return await (await self._begin()).fetch(sql, *args)

    async def fetchrow(self, sql: str, *args: Any) -> Any:
        if self._db.read_only:
            return await self._ask("fetchrow", sql, args)
        return await (await self._begin()).fetchrow(sql, *args)

    async def fetch_page(self, sql: str, *args: Any) -> Any:
        if self._db.read_only and not self._begun:
            return await self._ask("fetchrow", for_any_tenant(sql), args)
        return await (await self._begin()).fetchrow(sql, *args)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        if self._db.read_only:
            return await self._ask("fetchval", sql, args)
        return await (await self._begin()).fetchval(sql, *args)

    async def execute(self, sql: str, *args: Any) -> Any:
        return await (await self._begin()).execute(sql, *args)

    async def executemany(self, sql: str, rows: Sequence[Sequence[Any]]) -> Any:
        return await (await self._begin()).executemany(sql, rows)

    async def copy_from_query(self, sql: str, **how: Any) -> Any:
        return await (await self._begin()).copy_from_query(sql, **how)

    async def ask_by_itself(self, sql: str, args: Sequence[Any], *, writes: bool = False) -> Any:
        return await self._ask("fetchrow", sql, args, writes=writes)

    async def act_as(self, actor: "Actor") -> None:
        self._actor = actor
        if self._begun:
            await self._connection.execute(actor.settings_sql())

    async def end(self, *, failed: bool) -> None:
        connection = self._connection
        if connection is None:
            return
        try:
            if failed and (self._begun or self._asking):
                await roll_back(connection)
            elif self._begun:
                await commit(connection)
        finally:
            self._db.pool.give(connection)

    async def _ask(self, how: str, sql: str, args: Sequence[Any], *, writes: bool = False) -> Any:
        at_once = None if self._begun else ask_at_once(sql, len(args), writes)
        if at_once is None:
            return await getattr(await self._begin(), how)(sql, *args)
        args = (*args, *self._actor.settings(), self._actor.origin() if writes else "on")
        if self._connection is None:
            self._connection, found = await self._db.run_first(
                lambda lent: getattr(lent, how)(at_once, *args)
            )
            return found
        self._asking = True
        found = await getattr(self._connection, how)(at_once, *args)
        self._asking = False
        return found

    async def _begin(self) -> Any:
        if not self._begun:
            begin = self._db.beginning(self._actor)
            if self._connection is None:
                self._connection = await self._db.begin(begin)
            else:
                self._asking = True
                await self._connection.execute(begin)
                self._asking = False
            self._begun = True
        return self._connection
