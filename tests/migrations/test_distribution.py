"""A database that is sharded by Citus, where there is one (GOLDLOOP_TEST_CITUS_URL), and one that is not."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from goldloop.kit.db import WORKER_ROLE, Actor, Database, connect, open_database
from goldloop.kit.distribution import PLAIN, SHARDED
from goldloop.kit.ids import new_id
from goldloop.migrations import distribution, runner
from goldloop.migrations.distribution import DistributionError
from goldloop.migrations.sharding import Place
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import service as workspaces


async def test_a_plain_postgresql_has_nothing_on_shards_and_is_refused(
    database_url: str, db: Database
) -> None:
    if db.settings is SHARDED:
        pytest.skip("this run is on Citus")
    assert db.settings is PLAIN
    async with opened(database_url) as connection:
        found = await distribution.examine(connection)
        assert (found.citus, found.distributed, found.on_shards, found.faults) == (None, False, [], [])
        with pytest.raises(DistributionError) as refused:
            await distribution.check(connection, found, log_in=True)
    assert refused.value.code == "citus_missing"


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Any]:
    connection = await connect(url)
    try:
        yield connection
    finally:
        await connection.close()


@pytest_asyncio.fixture(scope="module")
async def sharded(citus_url: str) -> AsyncIterator[Database]:
    async with open_database(citus_url, role=WORKER_ROLE, size=4) as db:
        yield db


async def made(db: Database) -> Actor:
    """A workspace of its own."""
    slug = f"citus-{new_id().hex[-12:]}"
    new = await workspaces.create(db, slug, slug, f"{slug}@citus.test", None)
    return system_actor(new.workspace.id)


async def test_every_table_is_where_it_should_be_and_a_second_run_does_nothing(citus_url: str) -> None:
    async with opened(citus_url) as connection, runner.Locked(connection):
        found = await distribution.examine(connection)
        assert found.distributed
        assert found.faults == []
        assert found.on_shards == [t.name for t in found.tables if t.wanted is Place.SHARDS]
        assert {"tenants", "users", "marks"} <= set(found.on_coordinator)
        assert len(found.nodes) >= 1
        assert all(node.shards for node in found.nodes)
        again = await distribution.distribute(connection)
    assert (again.tables, again.policies, again.kept_keys, again.given_up) == ([], [], [], [])


async def test_row_level_security_decides_on_the_shards(sharded: Database) -> None:
    assert sharded.settings is SHARDED
    one, other = await made(sharded), await made(sharded)
    async with sharded.tx(one) as tx:
        assert await tx.fetchval("SELECT count(*) FROM events WHERE tenant_id = $1", one.tenant_id) >= 1
        assert await tx.fetchval("SELECT count(*) FROM events WHERE tenant_id = $1", other.tenant_id) == 0
        seen = await tx.fetch("SELECT DISTINCT tenant_id FROM events")
        assert [row["tenant_id"] for row in seen] == [one.tenant_id]
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with sharded.tx(one) as tx:
            await tx.execute(
                "INSERT INTO parties (tenant_id, kind, id, name) VALUES ($1, 'user', $2, 'x')",
                other.tenant_id,
                new_id(),
            )
    with pytest.raises(asyncpg.InsufficientPrivilegeError):  # only ever added to
        async with sharded.tx(one) as tx:
            await tx.execute("DELETE FROM events WHERE tenant_id = $1", one.tenant_id)


@pytest.mark.parametrize("table", ["sessions", "feedback", "entities", "session_events"])
async def test_shards_have_the_policies_that_the_coordinator_has(citus_url: str, table: str) -> None:
    """A restrictive one would be a permissive one there, which lets more be seen than the tenant's."""
    listed = "SELECT coalesce(string_agg(polname || polpermissive, ',' ORDER BY polname), '') FROM pg_policy WHERE polrelid"
    async with opened(citus_url) as connection:
        here = await connection.fetchval(f"{listed} = $1::regclass", table)
        assert here.count("true") == here.count(",") + 1 == 4
        shards = await connection.fetch(
            "SELECT result FROM run_command_on_placements($1::regclass, $2)",
            table,
            f"{listed} = '%s'::regclass",
        )
    assert {row["result"] for row in shards} == {here}


async def test_a_call_that_is_one_message_elsewhere_is_a_transaction_here(sharded: Database) -> None:
    actor = await made(sharded)
    before = await count_events(sharded, actor)
    await sharded.autocommit(actor).call(
        "emit_event", new_id(), "workspace.renamed", "workspace", str(actor.tenant_id), {}
    )
    assert await count_events(sharded, actor) == before + 1


async def count_events(db: Database, actor: Actor) -> int:
    async with db.tx(actor) as tx:
        count: int = await tx.fetchval("SELECT count(*) FROM events WHERE tenant_id = $1", actor.tenant_id)
    return count


@dataclass(frozen=True)
class Later:
    """Two tables of a later migration: `notes`, which refers to views and to tenants, and `lines` of them."""

    connection: Any
    notes: str
    lines: str

    async def placed(self) -> dict[str, str | None]:
        found = await distribution.examine(self.connection)
        return {t.name: t.column for t in found.tables if t.name in (self.notes, self.lines)}

    async def keys(self) -> set[str]:
        rows = await self.connection.fetch(
            "SELECT confrelid::regclass::text AS \"to\" FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::regclass[])",
            [self.notes, self.lines],
        )
        return {row["to"] for row in rows}


@pytest_asyncio.fixture
async def later(citus_url: str) -> AsyncIterator[Later]:
    name = f"trial_{new_id().hex[-12:]}"
    async with opened(citus_url) as connection:
        tables = Later(connection, f"{name}_notes", f"{name}_lines")
        async with runner.Locked(connection):
            async with connection.transaction():
                await runner.run_script(
                    connection,
                    f"""
                    ALTER TABLE views ADD COLUMN {name} text;
                    CREATE INDEX {name}_index ON views (tenant_id, {name}) WHERE {name} IS NOT NULL;
                    CREATE TABLE {tables.notes} (
                        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
                        id uuid NOT NULL,
                        view_id uuid,
                        PRIMARY KEY (tenant_id, id),
                        FOREIGN KEY (tenant_id, view_id) REFERENCES views (tenant_id, id) ON DELETE CASCADE
                    );
                    SELECT make_tenant_table('{tables.notes}');
                    CREATE TABLE {tables.lines} (
                        tenant_id uuid NOT NULL, note_id uuid NOT NULL, line int NOT NULL,
                        PRIMARY KEY (tenant_id, note_id, line),
                        FOREIGN KEY (tenant_id, note_id) REFERENCES {tables.notes} (tenant_id, id) ON DELETE CASCADE
                    );
                    SELECT make_tenant_table('{tables.lines}');
                    """,
                )
            yield tables
            async with connection.transaction():
                await runner.run_script(
                    connection,
                    f"DROP TABLE {tables.lines}; DROP TABLE {tables.notes}; ALTER TABLE views DROP COLUMN {name};",
                )
                await connection.execute(
                    "DELETE FROM sharding_keys WHERE on_table = ANY ($1)", [tables.notes, tables.lines]
                )


async def test_tables_of_a_later_migration_are_sharded_with_what_is_in_them(
    sharded: Database, later: Later
) -> None:
    one, other = await made(sharded), await made(sharded)
    note = new_id()
    for actor in (one, other):
        async with sharded.tx(actor) as tx:
            await tx.execute(
                f"INSERT INTO {later.notes} (tenant_id, id) VALUES ($1, $2)", actor.tenant_id, note
            )
            await tx.execute(
                f"INSERT INTO {later.lines} (tenant_id, note_id, line) VALUES ($1, $2, 1)",
                actor.tenant_id,
                note,
            )
    assert await later.placed() == {later.lines: None, later.notes: None}
    done = await distribution.distribute(later.connection)
    assert done.tables == [later.lines, later.notes]
    assert await later.placed() == {later.lines: "tenant_id", later.notes: "tenant_id"}
    assert await later.keys() == {"views", later.notes}, "the one to tenants is given up"
    for actor in (one, other):
        async with sharded.tx(actor) as tx:
            rows = await tx.fetch(f"SELECT tenant_id FROM {later.notes}")
            assert [row["tenant_id"] for row in rows] == [actor.tenant_id]
            await tx.execute(
                f"DELETE FROM {later.notes} WHERE tenant_id = $1 AND id = $2", actor.tenant_id, note
            )
            assert await tx.fetchval(f"SELECT count(*) FROM {later.lines}") == 0


async def test_a_distribution_that_ended_half_way_is_gone_on_with(later: Later) -> None:
    def end(table: str) -> None:
        raise RuntimeError(f"killed after {table}")

    with pytest.raises(RuntimeError, match="killed after"):
        await distribution.distribute(later.connection, moved=end)
    half = await distribution.examine(later.connection)
    assert await later.placed() == {later.lines: "tenant_id", later.notes: None}
    assert f"{later.notes} is on the coordinator and belongs on the shards" in half.faults
    assert {key.table for key in half.waiting} == {later.lines, later.notes}
    await distribution.distribute(later.connection)
    assert await later.placed() == {later.lines: "tenant_id", later.notes: "tenant_id"}
    assert await later.keys() == {"views", later.notes}
    assert (await distribution.examine(later.connection)).faults == []
