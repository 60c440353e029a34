"""A transaction begins on a living connection, also after the database was restarted."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, fields
from typing import Any

import anyio
import asyncpg
import pytest

from goldloop.kit import db as kit
from goldloop.kit import pool
from goldloop.kit.db import APP_ROLE, WORKER_ROLE, Actor, Database, open_database
from tests.factories import Workspace
from tests.servers import end_connections, eventually


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
        before = await asyncio.gather(*(_pid(db, workspace.system) for _ in range(3)))
        _end_unnoticed(database_url, before)
        after = await asyncio.gather(*(_pid(db, workspace.system) for _ in range(3)))
        assert len(set(before)) == 3
        assert not set(before) & set(after)


async def test_a_call_that_commits_by_itself_acts_for_its_actor_and_leaves_nothing_behind(
    database_url: str, workspace: Workspace
) -> None:
    actor = workspace.system
    async with open_database(database_url, size=1) as db:
        call = db.autocommit(actor).call
        assert await call("current_setting", "role") == APP_ROLE
        assert await call("current_setting", "app.tenant") == str(workspace.id)
        assert await call("current_setting", "app.actor") == f"{actor.kind}:{actor.id or ''}"
        with pytest.raises(asyncpg.UndefinedObjectError):
            await call("current_setting", "app.of_nobody")
        left = "SELECT current_setting('role'), current_setting('app.tenant', true)"
        async with db.pool.acquire() as connection:
            assert tuple(await connection.fetchrow(left)) == ("none", "")


async def test_a_call_finds_a_living_connection(database_url: str, workspace: Workspace) -> None:
    async with open_database(database_url, size=1) as db:
        before = await _pid(db, workspace.system)
        _end_unnoticed(database_url, [before])
        assert await db.autocommit(workspace.system).call("pg_backend_pid") != before


async def test_who_only_reads_cannot_write_and_others_can(database_url: str, workspace: Workspace) -> None:
    write = "UPDATE tenants SET name = name WHERE id = $1"
    async with open_database(database_url, size=1) as db:
        with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
            async with db.reading().tx(workspace.system) as tx:
                await tx.execute(write, workspace.id)
        with pytest.raises(RuntimeError):
            db.reading().autocommit(workspace.system)
        async with db.tx(workspace.system) as tx:
            assert await tx.fetchval("SHOW transaction_read_only") == "off"


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


@dataclass(frozen=True)
class _Slow(Actor):
    """Whose transactions are begun slowly."""

    def settings_sql(self) -> str:
        return f"{super().settings_sql()}; SELECT pg_sleep(30)"


async def _begin_slowly(db: Database, actor: Actor) -> None:
    async with db.tx(_Slow(**{each.name: getattr(actor, each.name) for each in fields(actor) if each.init})):
        pass


async def _ask_slowly(db: Database, actor: Actor) -> None:
    async with db.tx(actor) as tx:
        await tx.fetchval("SELECT pg_sleep(30)")


async def _call_slowly(db: Database, actor: Actor) -> None:
    await db.autocommit(actor).call("pg_sleep", 30)


async def _wait_in_a_transaction(db: Database, actor: Actor) -> None:
    async with db.tx(actor):
        await asyncio.sleep(30)


@pytest.mark.parametrize("work", [_begin_slowly, _ask_slowly, _call_slowly, _wait_in_a_transaction])
async def test_work_that_is_cancelled_again_and_again_gives_its_connection_back(
    database_url: str, workspace: Workspace, work: Callable[[Database, Actor], Coroutine[Any, Any, None]]
) -> None:
    """As the end of a live stream does: everything that it still waits for is cancelled, cleaning up too."""
    async with open_database(database_url, size=1) as db:
        async with anyio.create_task_group() as group:
            group.start_soon(work, db, workspace.system)
            await asyncio.sleep(0.2)
            group.cancel_scope.cancel()
        assert await _pid(db, workspace.system)


async def _hold_for_ever(db: Database, actor: Actor, holds: asyncio.Event) -> None:
    async with db.tx(actor):
        holds.set()
        await asyncio.Event().wait()


async def test_work_that_hangs_does_not_keep_a_process_from_ending(
    database_url: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kit, "CLOSE_SECONDS", 0.2)
    holds = asyncio.Event()
    async with asyncio.timeout(30):
        async with open_database(database_url, size=1) as db:
            hanging = asyncio.create_task(_hold_for_ever(db, workspace.system, holds))
            await holds.wait()
    assert not hanging.done()
    hanging.cancel()
    with pytest.raises((asyncio.CancelledError, asyncpg.InterfaceError)):
        await hanging


async def test_a_workspace_with_all_that_it_may_hold_does_not_keep_another_waiting(
    database_url: str, workspace: Workspace, other_workspace: Workspace
) -> None:
    async with open_database(database_url, size=4) as db, AsyncExitStack() as connections:
        for _ in range(db.quota.most):
            await connections.enter_async_context(db.tx(workspace.system))
        waiting = [asyncio.create_task(_pid(db, workspace.system)) for _ in range(20)]
        assert await _pid(db, other_workspace.system)
        assert await _pid(db.in_role(WORKER_ROLE), other_workspace.system)
        assert not any(task.done() for task in waiting)
        await connections.aclose()
        assert all(await asyncio.gather(*waiting))
        assert db.quota.has_room(workspace.id)


async def test_waiting_for_the_own_share_ends_in_time_and_takes_nothing_from_it(
    database_url: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_database(database_url, size=1) as db:
        async with db.tx(workspace.system):
            monkeypatch.setattr(kit, "LEND_SECONDS", 0.05)
            with pytest.raises(TimeoutError):
                await _pid(db, workspace.system)
            monkeypatch.undo()
            cancelled = asyncio.create_task(_pid(db, workspace.system))
            await asyncio.sleep(0)
            cancelled.cancel()
            await asyncio.wait([cancelled])
            next_one = asyncio.create_task(_pid(db, workspace.system))
            await asyncio.sleep(0)
        assert await next_one
        assert await _pid(db, workspace.system)


async def test_what_only_reads_is_asked_for_its_actor_without_a_transaction(
    database_url: str, workspace: Workspace
) -> None:
    actor = workspace.system
    settings = "SELECT current_setting('app.tenant') AS tenant, current_setting('role') AS role, txid_current_if_assigned()"
    async with open_database(database_url, size=1, pooler=False) as db:
        async with db.reading().tx(actor) as tx:
            first = await tx.fetchrow(f"{settings} AS written, now() AS at")
            second = await tx.fetchrow(f"{settings} AS written, now() AS at")
            assert first is not None
            assert second is not None
            assert first["at"] != second["at"]  # each is a transaction of its own
            assert (first["tenant"], first["role"]) == (str(workspace.id), APP_ROLE)
            assert await tx.fetchval("SELECT current_setting('transaction_read_only')") == "on"
        async with db.pool.acquire() as connection:
            left = "SELECT current_setting('app.tenant', true), current_setting('transaction_read_only')"
            assert tuple(await connection.fetchrow(left)) == ("", "off")


async def test_behind_a_pooler_what_only_reads_is_a_transaction(
    database_url: str, workspace: Workspace
) -> None:
    async with open_database(database_url, size=1) as db, db.reading().tx(workspace.system) as tx:
        assert await tx.fetchval("SELECT now()") == await tx.fetchval("SELECT now()")


async def test_who_only_reads_writes_nothing_by_a_function_either(
    database_url: str, workspace: Workspace
) -> None:
    async with open_database(database_url, size=1, pooler=False) as db:
        with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
            async with db.reading().tx(workspace.system) as tx:
                await tx.fetchval("SELECT set_marks('none', ARRAY['a'], interval '0')")
        with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
            async with db.reading().tx(workspace.system) as tx:
                await tx.execute("UPDATE tenants SET name = name WHERE id = $1", workspace.id)
        assert await _pid(db, workspace.system)


async def test_a_statement_that_is_no_query_begins_what_follows_in_one_transaction(
    database_url: str, workspace: Workspace
) -> None:
    async with (
        open_database(database_url, size=1, pooler=False) as db,
        db.reading().tx(workspace.system) as tx,
    ):
        assert await tx.fetchval("SELECT current_setting('app.tenant')") == str(workspace.id)
        await tx.execute("SET LOCAL app.memories = 'kept'")
        assert await tx.fetchval("SELECT current_setting('app.memories')") == "kept"
        assert await tx.fetchval("SELECT now()") == await tx.fetchval("SELECT now()")


async def test_a_connection_in_another_role_is_refused(database_url: str, workspace: Workspace) -> None:
    """Its policies would be those of the login, and to find nothing would look like an answer."""
    async with open_database(database_url, size=1, pooler=False) as db:
        async with db.reading().tx(workspace.system) as tx:
            assert await tx.fetch("SELECT id FROM tenants") != []
        async with db.pool.acquire() as connection:
            await connection.execute("SET ROLE NONE")
        with pytest.raises(asyncpg.InvalidTextRepresentationError):
            async with db.reading().tx(workspace.system) as tx:
                await tx.fetch("SELECT id FROM tenants")


async def test_rows_come_in_the_order_that_was_asked_for(database_url: str, workspace: Workspace) -> None:
    async with (
        open_database(database_url, size=1, pooler=False) as db,
        db.reading().tx(workspace.system) as tx,
    ):
        rows = await tx.fetch("SELECT n FROM generate_series(1, 5000) n ORDER BY n * 7919 % 5003, n")
        assert [row["n"] for row in rows] == sorted(range(1, 5001), key=lambda n: (n * 7919 % 5003, n))


async def test_what_is_written_alone_is_there_when_it_returns_and_in_a_transaction_when_that_has_begun(
    database_url: str, workspace: Workspace
) -> None:
    write = "SELECT * FROM set_marks('tests.alone', ARRAY[$1]::text[], interval '1 hour')"
    count = "SELECT count(*) FROM marks WHERE kind = 'tests.alone' AND key = $1"
    async with open_database(database_url, size=1, pooler=False) as db:
        worker = db.in_role(WORKER_ROLE)

        async def write_and_fail(key: str, *, begun: bool) -> None:
            async with db.tx(workspace.system) as tx:
                await (tx.fetchval("SELECT 1") if begun else tx.look("SELECT 1"))
                await tx.write_alone(write, key)
                raise ValueError("after it")

        for key in ("alone", "begun"):
            with pytest.raises(ValueError, match="after it"):
                await write_and_fail(key, begun=key == "begun")
        async with worker.tx(workspace.system) as tx:
            assert await tx.fetchval(count, "alone") == 1
            assert await tx.fetchval(count, "begun") == 0
            await tx.execute("DELETE FROM marks WHERE kind = 'tests.alone'")


async def test_a_page_is_planned_for_any_workspace_and_read_of_its_own(
    database_url: str, workspace: Workspace
) -> None:
    """What a plan for one workspace would cost is not compared with one for any: PostgreSQL keeps the latter."""
    page = "SELECT t.id, $2::int AS n FROM tenants t WHERE t.id = $1 ORDER BY t.id"
    kept = "SELECT generic_plans FROM pg_prepared_statements WHERE strpos(statement, '(SELECT $1::uuid)') > 0"
    async with open_database(database_url, size=1, pooler=False) as db:
        for _ in range(10):
            async with db.reading().tx(workspace.system) as tx:
                found = await tx.fetch_page(page, workspace.id, 7)
                assert found is not None
                assert (found["id"], found["n"]) == (workspace.id, 7)
        async with db.tx(workspace.system) as tx:
            assert await tx.fetchval(kept) > 0, "only the first five are tried with a plan of their own"
            found = await tx.fetch_page(page, workspace.id, 7)
            assert found is not None
            assert found["id"] == workspace.id, "within a transaction that has begun as well"


async def test_plans_that_were_made_while_tables_were_empty_are_forgotten_once(
    database_url: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "PLANS_ANEW_AFTER", frozenset({3}))
    said: list[str] = []
    async with open_database(database_url, size=1, pooler=False) as db:
        async with db.pool.acquire() as connection:
            connection.add_query_logger(lambda asked: said.append(asked.query))
        for _ in range(4):
            async with db.reading().tx(workspace.system) as tx:
                assert await tx.fetchval("SELECT 1") == 1
    assert said.count("DISCARD PLANS") == 1
    assert said.index("DISCARD PLANS") == 1, (
        "it was lent to be opened, to be listened to, and once for a query"
    )


@pytest.mark.parametrize("work", [_ask_slowly, _wait_in_a_transaction])
async def test_reading_that_is_cancelled_gives_its_connection_back(
    database_url: str, workspace: Workspace, work: Callable[[Database, Actor], Coroutine[Any, Any, None]]
) -> None:
    async with open_database(database_url, size=1, pooler=False) as db:
        async with anyio.create_task_group() as group:
            group.start_soon(work, db.reading(), workspace.system)
            await asyncio.sleep(0.2)
            group.cancel_scope.cancel()
        assert await _pid(db.reading(), workspace.system)


async def test_the_login_itself_is_asked_about_the_installation_only(
    database_url: str, workspace: Workspace
) -> None:
    async with open_database(database_url, size=1, pooler=False) as db:
        async with db.as_login() as connection:
            assert await connection.fetchval("SELECT current_user = session_user")
        assert await _pid(db.reading(), workspace.system)


@pytest.mark.parametrize("why", ["too long", "cancelled by an operator"])
async def test_a_query_that_is_not_answered_in_time_is_not_asked_again(
    database_url: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    """Else one that is too much for the database would be four of them, and nobody could cancel it."""
    connect = kit.connect
    seconds = 0.3 if why == "too long" else 60

    async def connect_briefly(url: str, **more: Any) -> Any:
        return await connect(url, **more | {"command_timeout": seconds})

    monkeypatch.setattr(kit, "connect", connect_briefly)
    asked = (
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(61)%' AND pid <> pg_backend_pid()"
    )
    cancel = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(61)%' AND pid <> pg_backend_pid() AND state = 'active'"

    async def ask() -> None:
        async with db.reading().tx(workspace.system) as tx:
            await tx.fetchval("SELECT pg_sleep(61)")

    watcher = await asyncpg.connect(database_url)
    try:
        async with open_database(database_url, size=8, pooler=False) as db:
            asking = asyncio.create_task(ask())
            if why == "cancelled by an operator":

                async def is_cancelled() -> bool:
                    return bool(await watcher.fetchval(cancel))

                await eventually(is_cancelled)
            with pytest.raises((TimeoutError, asyncpg.QueryCanceledError)):
                await asking
            assert await watcher.fetchval(asked) <= 1

            async def nothing_runs() -> bool:
                return not await watcher.fetchval(f"{asked} AND state = 'active'")

            await eventually(nothing_runs)
    finally:
        await watcher.close()


async def test_who_only_reads_locks_nothing(database_url: str, workspace: Workspace) -> None:
    async with open_database(database_url, size=1, pooler=False) as db:
        with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
            async with db.reading().tx(workspace.system) as tx:
                await tx.fetch("SELECT t.id FROM tenants t FOR UPDATE")


async def test_asking_about_the_installation_gives_its_connection_back_when_it_is_cancelled_twice(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_database(database_url, size=1, pooler=False) as db:
        begun = asyncio.Event()

        async def ask() -> None:
            async with db.as_login():
                begun.set()
                await asyncio.sleep(60)

        asking = asyncio.create_task(ask())
        await begun.wait()
        asking.cancel()
        await asyncio.sleep(0)  # it rolls back
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        async with asyncio.timeout(10), db.as_login() as connection:
            assert await connection.fetchval("SELECT 1") == 1
