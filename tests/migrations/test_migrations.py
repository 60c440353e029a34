"""Migrations on real databases: there and back, at once, interrupted, refused."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import files, runner
from goldloop.migrations.dump import dump_schema
from goldloop.migrations.files import BadMigration, Migration, SqlFunction
from goldloop.migrations.runner import MigrationError
from tests.servers import Program, eventually, open_folder

NEWEST = len(files.migrations())


@pytest_asyncio.fixture
async def connection(empty_database_url: str) -> AsyncIterator[Any]:
    opened = await connect(empty_database_url)
    yield opened
    opened.terminate()


def with_one_more(up: str, down: str = "SELECT 1") -> tuple[Migration, ...]:
    return (*files.migrations(), Migration(version=NEWEST + 1, name="one_more", up=up, down=down))


async def tables(connection: Any) -> set[str]:
    rows = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return {row["tablename"] for row in rows}


async def test_up_then_down_to_nothing_then_up_again_makes_the_same_schema(
    connection: Any, empty_database_url: str
) -> None:
    ran = await runner.up(connection)
    assert [m.version for m in ran] == list(range(1, NEWEST + 1))
    first = await dump_schema(empty_database_url)

    undone = await runner.down(connection, 0)
    assert [m.version for m in undone] == list(range(NEWEST, 0, -1))
    assert await tables(connection) == {"schema_migrations", "schema_functions"}
    left = await connection.fetch("SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace")
    assert left == []
    assert await connection.fetchval("SELECT to_regnamespace('procrastinate')") is None

    await runner.up(connection)
    assert await dump_schema(empty_database_url) == first
    assert (await runner.status(connection)).current


def in_any_order(schema: str) -> str:
    """The columns of each table sorted: one that is made anew comes last, and no statement of ours goes by their places."""
    return re.sub(
        r"(CREATE TABLE [^(]*\(\n)(.*?)(\n\))",
        lambda table: (
            table[1] + "\n".join(sorted(line.rstrip(",") for line in table[2].split("\n"))) + table[3]
        ),
        schema,
        flags=re.DOTALL,
    )


async def test_each_migration_can_be_applied_and_undone_by_itself(
    connection: Any, empty_database_url: str
) -> None:
    for version in range(1, NEWEST + 1):
        before = await dump_schema(empty_database_url) if version > 1 else None
        assert [m.version for m in await runner.up(connection, version)] == [version]
        after = await dump_schema(empty_database_url)
        assert [m.version for m in await runner.down(connection, version - 1)] == [version]
        if before is not None:
            assert in_any_order(await dump_schema(empty_database_url)) == in_any_order(before)
        await runner.up(connection, version)
        if version < NEWEST:  # the newest brings the functions back, which went first on the way down
            assert in_any_order(await dump_schema(empty_database_url)) == in_any_order(after)
    assert (await runner.status(connection)).current


async def test_reactions_of_members_and_of_end_users_are_told_apart_and_back(connection: Any) -> None:
    await runner.up(connection)
    await runner.down(connection, 9)
    tenant, member = new_id(), str(new_id())
    await connection.execute(f"SET app.tenant = '{tenant}'")
    await connection.execute("INSERT INTO tenants (id, slug, name) VALUES ($1, 'acme', 'Acme')", tenant)
    await connection.execute(
        """
        INSERT INTO conversations (tenant_id, project, id, title, turns, started_at, last_activity_at)
        VALUES ($1, 'p', 'c', '', 1, now(), now())
        """,
        tenant,
    )
    await connection.execute(
        """
        INSERT INTO conv_turns (tenant_id, project, conversation_id, turn_id, ts, digest, created_by_kind)
        VALUES ($1, 'p', 'c', 't', now(), '', 'system')
        """,
        tenant,
    )

    async def react(user_type: str, more: str = "", value: str = "") -> None:
        await connection.execute(
            f"""
            INSERT INTO conv_messages (tenant_id, id, project, conversation_id, turn_id, role, kind, tags, text, ts,
                payload, origin, reaction, confidence, end_user, state, counted_from{more})
            VALUES ($1, $2, 'p', 'c', 't', 'artifact', 'turn.log.reaction', '{{}}', '', now(),
                jsonb_build_object('meta', jsonb_build_object('user_type', $3::text)), 'user', 'ok', 1, $4, 'active',
                clock_timestamp(){value})
            """,
            tenant,
            new_id(),
            user_type,
            member if user_type == "privileged" or more else "ana",
        )

    async def states(column: str) -> list[tuple[Any, ...]]:
        rows = await connection.fetch(f"SELECT {column}, state FROM conv_messages ORDER BY counted_from")
        return [tuple(row) for row in rows]

    async def user_types() -> list[str]:
        rows = await connection.fetch(
            "SELECT payload #>> '{meta,user_type}' AS of FROM conv_messages ORDER BY counted_from"
        )
        return [row["of"] for row in rows]

    await react("privileged")
    await react("registered")
    await connection.execute("SET app.tenant = ''")  # a migration runs for nobody
    await runner.up(connection)
    await connection.execute(f"SET app.tenant = '{tenant}'")
    assert await states("by_member") == [(True, "active"), (False, "active")]
    assert await user_types() == ["member", "end_user"]
    await react("registered", ", by_member", ", false")
    await connection.execute("SET app.tenant = ''")
    await runner.down(connection, 9)
    await connection.execute(f"SET app.tenant = '{tenant}'")
    assert await states("end_user") == [(member, "replaced"), ("ana", "active"), (member, "active")]
    assert await user_types() == ["privileged", "registered", "registered"]


async def test_what_a_machine_read_becomes_the_end_users_and_what_was_taken_back_goes_with_the_way_back(
    connection: Any,
) -> None:
    await runner.up(connection)
    await runner.down(connection, 18)
    tenant = new_id()
    await connection.execute(f"SET app.tenant = '{tenant}'")
    await connection.execute(
        f"""
        INSERT INTO tenants (id, slug, name) VALUES ('{tenant}', 'acme', 'Acme');
        INSERT INTO conversations (tenant_id, project, id, title, turns, started_at, last_activity_at)
        VALUES ('{tenant}', 'p', 'c', '', 1, now(), now());
        INSERT INTO conv_turns (tenant_id, project, conversation_id, turn_id, ts, digest, created_by_kind)
        VALUES ('{tenant}', 'p', 'c', 'm', now(), '', 'system');
        """
    )

    async def read(state: str, user_type: str, turn: str | None = None) -> None:
        await connection.execute(
            """
            INSERT INTO conv_messages (tenant_id, id, project, conversation_id, role, kind, tags, text, ts, payload, origin,
                reaction, confidence, end_user, state, source_conversation_id, source_turn_id, turn_id)
            VALUES ($1, $2, 'p', 'c', 'artifact', 'turn.log.reaction', '{}', '', now(),
                jsonb_build_object('meta', jsonb_build_object('user_type', $3::text)), 'machine', 'ok', 1, 'ana', $4, 'c', 'm', $5)
            """,
            tenant,
            new_id(),
            user_type,
            state,
            turn,
        )

    async def rows() -> list[tuple[str, str]]:
        found = await connection.fetch(
            "SELECT state, payload #>> '{meta,user_type}' AS of FROM conv_messages ORDER BY state"
        )
        return [(row["state"], row["of"]) for row in found]

    await read("unsettled", "system")
    await connection.execute("SET app.tenant = ''")
    await runner.up(connection)
    await connection.execute(f"SET app.tenant = '{tenant}'")
    assert await rows() == [("unsettled", "end_user")]
    await read("cleared", "end_user", "m")
    await connection.execute("SET app.tenant = ''")
    await runner.down(connection, 18)
    await connection.execute(f"SET app.tenant = '{tenant}'")
    assert await rows() == [("unsettled", "system")]


async def test_a_response_that_kept_an_undone_field_is_freed(connection: Any) -> None:
    await runner.up(connection)
    await runner.down(connection, 9)
    tenant, record, rubric = new_id(), new_id(), new_id()
    stuck, partly, superseded = new_id(), new_id(), new_id()
    await connection.execute(f"SET app.tenant = '{tenant}'")
    await connection.execute(
        f"""
        INSERT INTO tenants (id, slug, name) VALUES ('{tenant}', 'acme', 'Acme');
        INSERT INTO entity_types (tenant_id, id, slug, name, json_schema, created_by_kind)
        VALUES ('{tenant}', '{record}', 'company', 'Company', '{{}}', 'system');
        INSERT INTO entities (tenant_id, id, type_id, title, created_by_kind)
        VALUES ('{tenant}', '{record}', '{record}', 'Acme', 'system');
        INSERT INTO criteria_sets (tenant_id, id, slug, name, kind, dimensions, created_by_kind)
        VALUES ('{tenant}', '{rubric}', 'rubric', 'Rubric', 'record', '[]', 'system');
        """
    )

    async def respond(response_id: Any, promoted: list[str]) -> None:
        await connection.execute(
            """
            INSERT INTO entity_responses (tenant_id, id, entity_id, criteria_set_id, criteria_snapshot, source, values,
                status, promotable_fields, promoted_fields)
            VALUES ($1, $2, $3, $4, '[]', 'manual', '{}', 'superseded', '{a,b}', $5)
            """,
            tenant,
            response_id,
            record,
            rubric,
            promoted,
        )

    async def happened(
        version: int, field: str, kind: str, response_id: Any = None, undoes: Any = None
    ) -> Any:
        history_id = new_id()
        await connection.execute(
            """
            INSERT INTO entity_field_history (tenant_id, id, entity_id, field, kind, response_id, dimension_key, undoes_id,
                entity_version, actor_kind)
            VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $5 = 'promotion' THEN left($4, 1) END, $7, $8, 'system')
            """,
            tenant,
            history_id,
            record,
            field,
            kind,
            response_id,
            undoes,
            version,
        )
        return history_id

    await respond(stuck, ["a"])
    await respond(partly, ["a", "b"])
    await respond(superseded, ["a"])
    for version, (response_id, field) in enumerate([(stuck, "a1"), (partly, "a2")]):
        await happened(version * 4 + 1, field, "promotion", response_id)
        await happened(version * 4 + 2, field, "edit")
        again = await happened(version * 4 + 3, field, "promotion", response_id)
        await happened(version * 4 + 4, field, "undo", undoes=again)
    gives = await happened(9, "b2", "promotion", partly)
    await happened(10, "a3", "promotion", superseded)
    await connection.execute(
        "INSERT INTO entity_field_sources VALUES ($1, $2, 'b2', $3)", tenant, record, gives
    )
    await connection.execute("SET app.tenant = ''")  # a migration runs for nobody
    await runner.up(connection)
    await connection.execute(f"SET app.tenant = '{tenant}'")
    rows = await connection.fetch("SELECT id, status, promoted_fields FROM entity_responses")
    assert {row["id"]: (row["status"], row["promoted_fields"]) for row in rows} == {
        stuck: ("submitted", []),
        partly: ("partially_promoted", ["b"]),
        superseded: ("superseded", ["a"]),
    }


async def test_up_twice_does_nothing_the_second_time(connection: Any) -> None:
    await runner.up(connection)
    assert await runner.up(connection) == []


async def test_down_with_nothing_to_undo_changes_nothing(connection: Any, empty_database_url: str) -> None:
    await runner.up(connection)
    before = await dump_schema(empty_database_url)
    assert await runner.down(connection, NEWEST) == []
    assert await dump_schema(empty_database_url) == before
    assert (await runner.status(connection)).current


async def test_the_status_of_an_empty_database_is_all_pending(connection: Any) -> None:
    state = await runner.status(connection)
    assert (state.applied, state.pending, state.current) == ([], list(range(1, NEWEST + 1)), False)
    assert await tables(connection) == set(), "looking changes nothing"


async def test_several_that_start_at_once_migrate_once(empty_database_url: str) -> None:
    connections = [await connect(empty_database_url) for _ in range(4)]
    try:
        ran = await asyncio.gather(*(runner.up(one) for one in connections))
    finally:
        for one in connections:
            await one.close()
    assert sorted(len(applied) for applied in ran) == [0, 0, 0, NEWEST]


async def test_a_migration_that_was_changed_after_it_ran_is_refused(connection: Any) -> None:
    await runner.up(connection)
    await connection.execute("UPDATE schema_migrations SET sha256 = 'other' WHERE version = 2")
    with pytest.raises(MigrationError, match=r"0002 ran with other content .* add a new one"):
        await runner.up(connection)
    with pytest.raises(MigrationError, match="0002"):
        await runner.down(connection, 0)
    assert "tenants" in await tables(connection)


async def test_a_newer_database_that_needs_a_newer_version_is_refused(connection: Any) -> None:
    await runner.up(connection)
    await connection.execute(
        "INSERT INTO schema_migrations (version, name, sha256, needs) VALUES (9999, 'future', '', 9999)"
    )
    assert (await runner.status(connection)).unknown == [9999]
    with pytest.raises(
        MigrationError, match=r"9999, which this version of Goldloop does not know.*run the newer"
    ):
        await runner.up(connection)
    with pytest.raises(MigrationError, match="9999"):
        await runner.down(connection, 0)


async def test_a_failing_migration_leaves_nothing_behind_and_the_lock_free(
    connection: Any, empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await runner.up(connection)
    before = await dump_schema(empty_database_url)
    broken = with_one_more("CREATE TABLE half_done (id integer); SELECT 1 / 0")
    monkeypatch.setattr(runner, "migrations", lambda: broken)
    with pytest.raises(asyncpg.DivisionByZeroError):
        await runner.up(connection)
    assert await dump_schema(empty_database_url) == before
    assert (await runner.status(connection)).pending == [NEWEST + 1]

    fixed = with_one_more("CREATE TABLE half_done (id integer)", "DROP TABLE half_done")
    monkeypatch.setattr(runner, "migrations", lambda: fixed)
    other = await connect(empty_database_url)
    assert [m.version for m in await asyncio.wait_for(runner.up(other), 10)] == [NEWEST + 1]
    await other.close()


async def test_migrations_before_a_failing_one_stay(connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "migrations", lambda: with_one_more("SELECT 1 / 0"))
    with pytest.raises(asyncpg.DivisionByZeroError):
        await runner.up(connection)
    assert (await runner.status(connection)).applied == list(range(1, NEWEST + 1))


KILLED = """
import asyncio, json, sys
from goldloop.kit.db import connect
from goldloop.migrations import files, runner
slow = files.Migration(version=%d, name="slow", up="CREATE TABLE slow (id integer); SELECT pg_advisory_lock(1)", down="")
runner.migrations = lambda: (*files.migrations(), slow)
async def main():
    connection = await connect(sys.argv[1])
    print(json.dumps({"connected": True}), flush=True)
    await runner.up(connection)
asyncio.run(main())
"""


async def waiting(connection: Any, count: int) -> bool:
    """For a lock of the kind that migrations take."""
    query = (
        "SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database "
        "WHERE locktype = 'advisory' AND NOT granted AND d.datname = current_database()"
    )
    return await connection.fetchval(query) == count


async def test_a_process_killed_while_it_migrates_leaves_no_lock_and_no_half(
    connection: Any, empty_database_url: str
) -> None:
    await runner.up(connection)
    other = await connect(empty_database_url)
    await other.execute("SELECT pg_advisory_lock(1)")
    with open_folder() as folder:
        program = Program([sys.executable, "-c", KILLED % (NEWEST + 1), empty_database_url], folder)
        try:
            await program.line()
            await eventually(lambda: waiting(other, 1))
            program.kill()
        finally:
            program.close()
    again = asyncio.create_task(runner.up(connection))
    await eventually(lambda: waiting(other, 2))  # PostgreSQL has not noticed yet that nobody is there
    await other.execute("SELECT pg_advisory_unlock(1)")
    assert await again == []
    assert "slow" not in await tables(connection)
    await other.close()


async def test_functions_are_replaced_when_they_changed_also_in_their_signature(
    connection: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(sql: str) -> None:
        changed = (*files.functions(), SqlFunction(name="answer", sql=sql))
        monkeypatch.setattr(runner, "functions", lambda: changed)
        monkeypatch.setattr(runner, "functions_sha256", lambda: sql)

    version("CREATE FUNCTION answer() RETURNS integer LANGUAGE sql AS 'SELECT 41'")
    await runner.up(connection)
    assert await connection.fetchval("SELECT answer()") == 41

    version("CREATE FUNCTION answer() RETURNS text LANGUAGE sql AS 'SELECT ''42'''")
    assert not (await runner.status(connection)).current
    await runner.up(connection)
    assert await connection.fetchval("SELECT answer()") == "42"

    version("CREATE FUNCTION answer(p integer) RETURNS integer LANGUAGE sql AS 'SELECT 43'")
    await runner.up(connection)
    assert await connection.fetchval("SELECT answer(1)") == 43
    assert await connection.fetchval("SELECT answer()") == "42", "kept for servers of the release before"

    version("CREATE FUNCTION answer(p integer DEFAULT 1) RETURNS integer LANGUAGE sql AS 'SELECT 44'")
    await runner.up(connection)
    assert await connection.fetchval("SELECT answer()") == 44, "they call this one as well"


async def test_a_function_that_does_not_parse_leaves_the_old_ones(
    connection: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await runner.up(connection)
    broken = (*files.functions(), SqlFunction(name="answer", sql="CREATE FUNCTION answer("))
    monkeypatch.setattr(runner, "functions", lambda: broken)
    monkeypatch.setattr(runner, "functions_sha256", lambda: "broken")
    with pytest.raises(asyncpg.PostgresSyntaxError):
        await runner.up(connection)
    assert await connection.fetchval("SELECT installation_secret()")


async def test_the_schema_in_the_repository_is_that_of_the_migrations(fresh_database_url: str) -> None:
    kept = files.PACKAGE / "schema.sql"
    assert kept.exists(), "run `make generate`"
    assert kept.read_text() == await dump_schema(fresh_database_url), (
        "schema.sql is stale: run `make generate`"
    )


async def test_the_owner_of_the_embedded_database_is_no_superuser(fresh_database_url: str) -> None:
    owner = await connect(fresh_database_url)
    row = await owner.fetchrow("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
    await owner.close()
    assert (row["rolsuper"], row["rolbypassrls"]) == (False, False)


async def test_a_login_that_owns_the_database_and_may_become_our_roles_suffices(
    cluster: Any, data_dir: Path
) -> None:
    """As on a managed PostgreSQL, where an administrator made the roles: no superuser, no CREATEROLE."""
    name = f"limited_{new_id().hex}"
    admin = await connect(superuser_url(data_dir))
    await admin.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'x' NOSUPERUSER NOCREATEROLE NOCREATEDB")
    await admin.execute(f"GRANT goldloop_app, goldloop_worker, goldloop_eraser TO {name}")
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE template0 OWNER {name}")
    try:
        url = cluster.url.replace("/goldloop?", f"/{name}?").split("@", 1)[1]
        limited = await connect(f"postgresql://{name}:x@{url}")
        await runner.up(limited)
        assert (await runner.status(limited)).current
        assert await _owns_what_it_changes(limited)
        await runner.down(limited, 0)
        await limited.close()
    finally:
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await admin.execute(f"DROP ROLE {name}")
        await admin.close()


async def _owns_what_it_changes(owner: asyncpg.Connection) -> bool:
    """Whoever was granted the eraser so that they inherit it is not bound as it is, to erasures."""
    tenant = new_id()
    async with owner.transaction():
        await owner.execute(f"SET LOCAL app.tenant = '{tenant}'")
        await owner.execute("INSERT INTO tenants (id, slug, name) VALUES ($1, 'a', 'A')", tenant)
        await owner.execute(
            "INSERT INTO workspace_settings (tenant_id, section, value) VALUES ($1, 'a', '{}')", tenant
        )
        changed = await owner.execute(
            "UPDATE workspace_settings SET value = '{}' WHERE tenant_id = $1", tenant
        )
        deleted = await owner.execute("DELETE FROM workspace_settings WHERE tenant_id = $1", tenant)
        await owner.execute("DELETE FROM tenants WHERE id = $1", tenant)
        return (changed, deleted) == ("UPDATE 1", "DELETE 1")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["0001_a.up.sql"], "0001_a.up.sql needs a name like .* and a .down.sql"),
        (["0001_A.up.sql", "0001_A.down.sql"], "0001_A.up.sql needs a name"),
        (["0002_a.up.sql", "0002_a.down.sql"], "without a gap"),
    ],
)
def test_files_that_are_not_a_migration_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], message: str
) -> None:
    for name in names:
        (tmp_path / name).write_text("SELECT 1")
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    with pytest.raises(BadMigration, match=message):
        files.migrations.__wrapped__()


def test_an_included_file_of_another_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "0001_a.up.sql").write_text(f"-- include procrastinate:sql/schema.sql sha256:{'0' * 64}\n")
    (tmp_path / "0001_a.down.sql").write_text("")
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    with pytest.raises(BadMigration, match="not the version that this migration was written for"):
        files.migrations.__wrapped__()


def test_a_released_migration_is_recognised_by_its_content() -> None:
    kept = Migration(version=1, name="a", up="SELECT 1", down="")
    assert kept.sha256 == Migration(version=2, name="b", up="SELECT 1", down="other").sha256
    assert kept.sha256 != Migration(version=1, name="a", up="SELECT 2", down="").sha256


@pytest.mark.parametrize(
    ("version", "number"), [("15.18 (Debian 15.18-0+deb12u1)", 150018), ("14.2", 140002), ("9.6", 90600)]
)
def test_a_server_older_than_postgresql_16_is_refused_in_a_sentence(version: str, number: int) -> None:
    with pytest.raises(MigrationError, match=r"^Goldloop needs PostgreSQL 16 or newer, and this server is "):
        runner.check_version(version, number)


@pytest.mark.parametrize(("version", "number"), [("16.0", 160000), ("18.6", 180006)])
def test_postgresql_16_and_newer_are_taken(version: str, number: int) -> None:
    runner.check_version(version, number)


async def test_up_asks_the_server_how_old_it_is_before_it_changes_anything(
    connection: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "MINIMUM_POSTGRES", 990000)
    with pytest.raises(MigrationError, match="16 or newer"):
        await runner.up(connection)
    assert await tables(connection) == set()
