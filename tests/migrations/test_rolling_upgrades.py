"""Rolling upgrades: a server of the release before goes on while a newer one has brought the schema on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.kit.ids import new_id
from goldloop.migrations import files, runner
from goldloop.migrations.compatibility import contracts_of
from goldloop.migrations.files import Migration, SqlFunction
from goldloop.migrations.releases import RELEASES
from goldloop.migrations.runner import MigrationError
from tests.loops import some
from tests.migrations.previous import NoHistory, write_previous
from tests.records import COMPANY, RUBRIC, ok
from tests.servers import GOLDLOOP, Program, Server, eventually, free_port, running_server

NEWEST = len(files.migrations())
STREAMS = {"/api/events"}


@pytest.fixture
def previous(tmp_path: Path) -> Path:
    try:
        return write_previous(tmp_path)
    except NoHistory as reason:
        pytest.skip(f"no older server to try: {reason}")


async def answers(client: httpx.AsyncClient) -> dict[str, int]:
    """The status of each page of the API that needs no more than its address."""
    paths = ok(await client.get("/openapi.json"))["paths"]
    asked = [
        path for path, item in paths.items() if "get" in item and "{" not in path and path not in STREAMS
    ]
    return {path: (await client.get(path)).status_code for path in asked}


async def work(client: httpx.AsyncClient, url: str) -> None:
    """Writes and reads along the first flow, and a job that is worked off."""
    slug = f"company-{new_id().hex[-8:]}"
    ok(await client.post("/api/entity-types", json={"slug": slug, "name": "Company", "json_schema": COMPANY}))
    rubric = ok(
        await client.post(
            "/api/criteria-sets/",
            json={
                "slug": slug,
                "name": "Rubric",
                "kind": "assessment",
                "dimensions": RUBRIC,
                "entity_type_slugs": [slug],
            },
        )
    )
    record = ok(
        await client.post("/api/entities", json={"type": slug, "title": "Acme", "content": {"name": "Acme"}})
    )
    path = f"/api/entities/{record['id']}"
    response = ok(
        await client.post(
            f"{path}/responses/", json={"criteria_set_id": rubric["id"], "values": {"team": 7, "market": 8}}
        )
    )
    ok(
        await client.patch(
            f"{path}/responses/{response['id']}", json={"status": "rejected", "review_notes": "Too early"}
        )
    )
    assert ok(await client.get(path))["title"] == "Acme"
    assert [each["id"] for each in ok(await client.get(f"{path}/responses/"))["data"]] == [response["id"]]
    made = ok(await client.post("/api/keys", json={"name": "Another", "role": "viewer"}))
    async with httpx.AsyncClient(
        base_url=url, headers={"Authorization": f"Bearer {made['key']}"}, timeout=60
    ) as other:
        ok(await other.get("/api/entities"))

    async def recorded() -> bool:
        jobs = ok(await client.get("/api/jobs?status=succeeded"))["data"]
        return any(job["args"].get("key_id") == made["id"] for job in jobs)

    await eventually(recorded)
    assert ok(await client.get("/api/jobs?status=failed"))["data"] == []
    await eventually(lambda: nothing_waits(client))


async def nothing_waits(client: httpx.AsyncClient) -> bool:
    return not ok(await client.get("/api/marks"))["data"]


async def key_for(server: Server, extra: dict[str, str]) -> str:
    arguments = ["key", "create", "--json", "--tenant", "main", "--name", "Here", "--role", "owner"]
    program = Program(
        [*GOLDLOOP, *arguments, "--data-dir", str(server.data_dir)], server.data_dir.parent, extra
    )
    try:
        return str((await program.line())["key"])
    finally:
        program.close()


async def test_the_server_before_the_newest_migration_goes_on_beside_it(previous: Path) -> None:
    extra = {"PYTHONPATH": str(previous)}
    async with (
        running_server(extra=extra) as server,
        server.client(await key_for(server, extra)) as client,
    ):
        connection = await connect(server.database_url)
        assert (await runner.status(connection)).pending, "it is an older one"
        before = await answers(client)
        assert [m.version for m in await runner.up(connection)][-1] == NEWEST
        await connection.close()
        assert await answers(client) == before | {"/readyz": (await client.get("/readyz")).status_code}
        await work(client, server.url)
        log = server.program.log.read_text()
        assert "UndefinedFunction" not in log
        assert "UndefinedColumn" not in log


class Next:
    """The release after this one, made up: a table, a column, a function with more parameters and one that is no more."""

    release = "9.0.0"
    added = Migration(
        version=NEWEST + 1,
        name="one_more",
        up="CREATE TABLE one_more (id integer); ALTER TABLE tenants ADD COLUMN motto text NOT NULL DEFAULT ''",
        down="DROP TABLE one_more; ALTER TABLE tenants DROP COLUMN motto",
    )

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    @asynccontextmanager
    async def running(
        self, release: str | None = None, migration: Migration | None = None
    ) -> AsyncIterator[None]:
        with self.monkeypatch.context() as patched:
            changed = tuple(self._changed(function) for function in files.functions())
            migrations = (*files.migrations(), migration or self.added)
            patched.setattr(runner, "migrations", lambda: migrations)
            patched.setattr(runner, "functions", lambda: [each for each in changed if each is not None])
            patched.setattr(runner, "functions_sha256", lambda: "next")
            patched.setattr(runner, "__version__", release or self.release)
            yield

    @staticmethod
    def _changed(function: SqlFunction) -> SqlFunction | None:
        if function.name == "count_jobs":
            return None
        if function.name == "cancel_job":
            sql = function.sql.replace("(p_id uuid)", "(p_id uuid, p_why text)")
            sql = sql.replace("cancel_job(uuid)", "cancel_job(uuid, text)")
            assert sql.count("text)") >= 3
            return SqlFunction(name=function.name, sql=sql)
        return function


@pytest_asyncio.fixture
async def connection(fresh_database_url: str) -> AsyncIterator[Any]:
    opened = await connect(fresh_database_url)
    yield opened
    opened.terminate()


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Next:
    return Next(monkeypatch)


async def signatures(connection: Any, name: str) -> list[str]:
    rows = await connection.fetch(
        "SELECT oid::regprocedure::text AS s FROM pg_proc WHERE proname = $1 ORDER BY 1", name
    )
    return [row["s"] for row in rows]


async def test_this_version_starts_and_works_on_the_schema_of_the_next(
    connection: Any, newer: Next, fresh_database_url: str, tmp_path: Path
) -> None:
    async with newer.running():
        await runner.up(connection)
    port = free_port()
    extra = {"GOLDLOOP_DATABASE_URL": fresh_database_url, "GOLDLOOP_LOG_FORMAT": "json"}
    program = Program([*GOLDLOOP, "serve", "--json", "--port", str(port)], tmp_path, extra)
    try:
        await program.line()
        server = Server(program=program, data_dir=tmp_path / "none", port=port, hello={})
        create = ["key", "create", "--json", "--tenant", "main", "--name", "K", "--role", "owner"]
        made = Program([*GOLDLOOP, *create], tmp_path, extra)
        async with server.client(str((await made.line())["key"])) as client:
            made.close()
            assert ok(await client.get("/readyz"))["schema"] == "newer"
            await work(client, server.url)
            assert {status for status in (await answers(client)).values() if status >= 500} == set()
        assert "the schema is that of a newer version" in program.log.read_text()
    finally:
        program.close()
    assert await connection.fetchval("SELECT to_regclass('one_more') IS NOT NULL")
    assert await signatures(connection, "cancel_job") == ["cancel_job(uuid)", "cancel_job(uuid,text)"], (
        "it left the functions of the next alone"
    )


async def test_functions_of_the_release_before_stay_for_one_release(connection: Any, newer: Next) -> None:
    async with newer.running():
        await runner.up(connection)
    state = await runner.status(connection)
    assert (state.unknown, state.current, state.newer, state.usable) == ([NEWEST + 1], False, True, True)
    assert await runner.up(connection) == [], "an older one changes nothing"
    assert await signatures(connection, "cancel_job") == ["cancel_job(uuid)", "cancel_job(uuid,text)"]
    assert len(await signatures(connection, "count_jobs")) == 1
    async with newer.running("9.1.0"):
        await runner.up(connection)
        assert (await runner.status(connection)).current
    assert await signatures(connection, "cancel_job") == ["cancel_job(uuid,text)"]
    assert await signatures(connection, "count_jobs") == []
    state = await runner.status(connection)
    assert (state.usable, state.refused) == (False, "it is of release 9.1.0, which works beside 9.0.0")
    with pytest.raises(MigrationError, match=r"works beside 9\.0\.0"):
        await runner.up(connection)


async def test_a_schema_from_which_something_went_that_this_version_uses_is_refused(
    connection: Any, newer: Next
) -> None:
    contracted = Migration(
        version=NEWEST + 1, name="contract", up=f"-- needs {NEWEST + 1:04}: x\nSELECT 1", down="SELECT 1"
    )
    async with newer.running(migration=contracted):
        await runner.up(connection)
    state = await runner.status(connection)
    assert (state.newer, state.usable) == (True, False)
    with pytest.raises(MigrationError, match=f"needs a version that knows migration {NEWEST + 1:04}"):
        await runner.up(connection)


async def test_a_schema_that_the_next_release_made_from_nothing_is_not_for_this_one(
    empty_database_url: str, newer: Next
) -> None:
    connection = await connect(empty_database_url)
    try:
        async with newer.running():
            await runner.up(connection)
        assert not (await runner.status(connection)).usable
        with pytest.raises(MigrationError, match="works beside none before it"):
            await runner.up(connection)
    finally:
        await connection.close()


async def test_the_way_back_from_the_next_release_leaves_none_of_its_functions(
    connection: Any, newer: Next
) -> None:
    async with newer.running():
        await runner.up(connection)
        await runner.down(connection, NEWEST)
    await runner.up(connection)
    assert await signatures(connection, "cancel_job") == ["cancel_job(uuid)"]
    assert (await runner.status(connection)).current


def test_migrations_after_the_last_release_only_add_or_say_what_they_need() -> None:
    """No history needed: what a migration takes away, the release before must not use any more."""
    released = list(RELEASES.values())
    for migration in some(files.migrations()):
        before = [last for last in released if last < migration.version]
        if not before:
            continue  # no release is older
        taken = contracts_of(migration.up)
        assert not taken or migration.needs, f"{migration.version:04}: {taken}: say `-- needs NNNN`"
        assert migration.needs <= before[-1], f"{migration.version:04} breaks the release before it"


def test_releases_are_in_order_and_have_migrations_that_exist() -> None:
    assert list(RELEASES.values()) == sorted(RELEASES.values())
    assert max(some(RELEASES.values())) <= NEWEST
