"""A workspace that was exported and imported elsewhere is the same: every table, every blob, every answer of the API.

The tables and the routes are found in the catalogue and in the OpenAPI document, so a new one is compared without being named.
"""

import json
import re
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from goldloop import demo
from goldloop.app import build_app
from goldloop.archives import row_store
from goldloop.archives.selection import LEFT_OUT, select
from goldloop.erasures.jobs import erase
from goldloop.kit.blobs import BlobStore
from goldloop.kit.db import WORKER_ROLE, Database, connect, open_database
from goldloop.kit.embedded_postgres import EmbeddedPostgres, superuser_url
from goldloop.kit.outside import Outside
from goldloop.live.feed import Feed
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.workspaces import store as workspaces
from tests.archives.ground import Installation
from tests.conftest import _clone, _drop
from tests.factories import PASSWORD, PASSWORD_HASH, Workspace, browser, make_workspace, sign_in
from tests.loops import some
from tests.outside import embedded_outside
from tests.records import ok
from tests.routes import DOCUMENT
from tests.test_isolation import populate

# What cannot be as it was: accounts, secrets and jobs are the installation's.
CHANGED_TABLES = {
    "memberships": "people come as invited",
    "api_keys": "keys come revoked",
    "marks": "without the lease of a worker",
    "events": "with that of the import",
    "runs": "what was under way is cancelled",
    "sessions": "what was under way is cancelled",
    "eval_runs": "what was under way is cancelled",
    "eval_replays": "what was under way is cancelled",
    "tasks": "with jobs of this installation",
}
CHANGED_ROUTES = {
    "/api/members",
    "/api/keys",
    "/api/jobs",
    "/api/jobs/counts",
    "/api/session",
    "/api/account",  # of whoever asks
    "/api/account/sessions",
    "/api/erasures",  # what was deleted is not carried
    "/api/webhooks",  # receivers are set anew
    "/api/limits",  # what was used there is not used here
    "/api/audit",  # the import is a fact as well
    "/api/audit/export",
    "/api/events",
    "/api/agents",  # whose secrets are to be set
    "/api/archives",  # those of before are not carried
    "/healthz",
    "/readyz",
}
FIXED: dict[str, Any] = {
    "limit": 200,
    "start": "2026-01-01T00:00:00Z",
    "end": "2027-01-01T00:00:00Z",
}  # else they are of the clock
READ_AT = re.compile(r'"read_at":"[^"]*"')  # when the answer was read
# One run of `full` is, and an exported set shows how replays of it stand.
UNDER_WAY = ("/api/admin/evals/runs", "/api/admin/evals/sets/")
ASKED_SINCE = {"prompt_manifests", "prompt_heads"}  # pages of the first were asked for since it was written
CANARY = "sealed-and-never-seen"


class Carried:
    """The two installations, and the workspaces in them: the demo, and one with rows in every tenant table."""

    def __init__(self, here: Installation, there: Installation, folder: Path) -> None:
        self.here, self.there, self.folder = here, there, folder
        self.demo_id = self.full_id = UUID(int=0)


@pytest_asyncio.fixture(scope="module")
async def other_database_url(cluster: EmbeddedPostgres, data_dir: Path) -> AsyncIterator[str]:
    name, url = await _clone(data_dir, cluster.url)
    yield url
    await _drop(data_dir, name)


@pytest_asyncio.fixture(scope="module")
async def carried(
    module_database_url: str, other_database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Carried]:
    folder = tmp_path_factory.mktemp("archives")
    outside = embedded_outside(folder / "here")
    async with (
        open_database(module_database_url, role=WORKER_ROLE, size=6) as one,
        open_database(other_database_url, role=WORKER_ROLE, size=6) as other,
    ):
        here = Installation(one, outside.blobs)
        there = Installation(other, BlobStore(str(folder / "there")))
        carried = Carried(here, there, folder)
        await demo.load(one, outside)
        app = app_on(one, module_database_url, outside)
        async with make_workspace(one, app, "full") as full:
            await populate(full, Database(pool=one.pool))
            await finish_erasures(full, outside)
            await add_rarities(full, outside)
            carried.full_id = full.id
        demo_id = await workspaces.find_id(one, demo.SLUG)
        assert demo_id is not None
        carried.demo_id = demo_id
        await settle(one, demo_id)
        for slug, tenant_id in (("demo", demo_id), ("full", carried.full_id)):
            await here.export(tenant_id, folder / f"{slug}.zip")
            found = await there.take(folder / f"{slug}.zip", slug)
            assert found.is_new
            assert found.tenant_id == tenant_id
        yield carried


async def finish_erasures(workspace: Workspace, outside: Outside) -> None:
    """No archive is begun while something is being deleted."""
    async with workspace.db.tx(workspace.system) as tx:
        opened = await tx.fetch("SELECT id FROM erasures WHERE ended_at IS NULL")
    for row in some(opened):
        await erase(workspace.db, workspace.system, outside, run_id=str(row["id"]))
    client = await workspace.client()
    path = f"/conversations/{workspace.slug}/P/c/turns/t/feedback"
    ok(await client.post(path, json={"reaction": "ok", "user_id": "stays"}))


async def settle(db: Database, tenant_id: UUID) -> None:
    """Ends what waits for a worker: only what is under way changes on its way."""
    async with db.tx(system_actor(tenant_id)) as tx:
        for table, column, extra in (
            ("runs", "status", ", ended_at = now()"),
            ("sessions", "status", ", ended_at = now()"),
            ("eval_runs", "status", ", ended_at = now()"),
            ("eval_replays", "state", ""),
        ):
            await tx.execute(
                f"UPDATE {table} SET {column} = 'cancelled'{extra} WHERE tenant_id = $1 AND {column} IN ('queued', 'running')",
                tenant_id,
            )


def app_on(db: Database, url: str, outside: Outside) -> Any:
    reading = Database(pool=db.pool)
    auth = Authenticator(db=reading, secret=b"a secret of the tests")
    return build_app(reading, auth, Feed(db=reading, url=url, auth=auth), outside)


async def add_rarities(full: Workspace, outside: Outside) -> None:
    """What JSON and COPY might lose: JSON's null beside none, control characters, odd numbers, and blobs."""
    async with full.db.tx(full.system) as tx:
        await tx.execute(
            "UPDATE sessions SET output = 'null'::jsonb WHERE NOT metadata ?| ARRAY['golden', 'accepted_for']"
        )
        await tx.execute(
            """
            UPDATE feedback SET comment = E'a\\tb\\nc\\\\d"e\\u2028\\u0001\\u0002 é 👍\\r', embedding = '{NaN,0.1,-0,3e38}',
                context = '{"n": 1.10, "big": 123456789012345678901234567890, "s": "\\u0007\\\\n"}'
            """
        )
        await tx.execute("UPDATE entity_types SET json_schema = (E'\\n\\r ' || json_schema || E'\\n')::json")
        await tx.execute("UPDATE agent_secrets SET sealed = $1", CANARY.encode())
    for key, content in {
        f"{full.id}/events/aa.json": b'{"text": "x"}',
        f"turn-logs/{full.id}/bb/cc.json": bytes(range(256)),
        f"{full.id}/archives/{full.id}/x/000000": b"an archive of before",
    }.items():
        await outside.blobs.put(key, content)


async def all_tables(db: Database) -> list[str]:
    async with db.tx(system_actor(UUID(int=0))) as tx:
        return [table.name for table in await row_store.tables(tx)]


@pytest.mark.parametrize("name", ["demo_id", "full_id"])
async def test_every_table_is_the_same(carried: Carried, name: str) -> None:
    tenant_id = getattr(carried, name)
    for table in some(await all_tables(carried.here.db)):
        if table in LEFT_OUT or table in CHANGED_TABLES:
            continue
        before, after = [await each.rows(tenant_id, table) for each in (carried.here, carried.there)]
        assert before == after, table
        assert before["count"] or name != "full_id", f"{table} has no rows to be carried"


@pytest.mark.parametrize("table", CHANGED_TABLES)
async def test_what_changes_on_the_way_loses_no_row(carried: Carried, table: str) -> None:
    for tenant_id in (carried.demo_id, carried.full_id):
        is_archive = table == "runs" and tenant_id == carried.full_id  # one waits there to be written
        added = 1 if table == "events" else -is_archive
        before, after = [await each.rows(tenant_id, table) for each in (carried.here, carried.there)]
        assert after["count"] == before["count"] + added, table


async def test_what_was_under_way_is_over(carried: Carried) -> None:
    open_runs = "SELECT count(*) FROM {} WHERE tenant_id = $1 AND {} IN ('queued', 'running')"
    counts = []
    for installation in (carried.here, carried.there):
        async with installation.db.tx(system_actor(carried.full_id)) as tx:
            counts += [
                await tx.fetchval(open_runs.format(*each), carried.full_id)
                for each in (("eval_runs", "status"), ("eval_replays", "state"))
            ]
    assert min(counts[:2]) > 0
    assert counts[2:] == [0, 0]


async def test_every_tenant_table_is_in_the_archive_or_named_with_the_reason(carried: Carried) -> None:
    with zipfile.ZipFile(carried.folder / "full.zip") as archive:
        manifest = json.loads(archive.read("manifest.json"))
        assert archive.testzip() is None
    assert sorted([*manifest["tables"], *manifest["left_out"]]) == sorted(await all_tables(carried.here.db))
    assert all(manifest["left_out"].values())


async def test_no_secret_is_in_an_archive(carried: Carried, data_dir: Path, module_database_url: str) -> None:
    connection = await connect(superuser_url(data_dir, urlsplit(module_database_url).path.lstrip("/")))
    secrets = [CANARY.encode().hex()]
    for query in (
        "SELECT encode(hash, 'hex') FROM api_key_hashes",
        "SELECT encode(hash, 'hex') FROM invites",
        "SELECT password_hash FROM users",
        "SELECT secret FROM installation",
    ):
        secrets += [row[0] for row in await connection.fetch(query)]
    await connection.close()
    with zipfile.ZipFile(carried.folder / "full.zip") as archive:
        text = b"\n".join(archive.read(name) for name in archive.namelist())
    assert [secret for secret in some(secrets) if secret.encode() in text] == []


async def test_the_id_of_the_workspace_is_nowhere_but_in_the_log_of_what_happened_to_it(
    carried: Carried,
) -> None:
    with zipfile.ZipFile(carried.folder / "full.zip") as archive:
        named = {name for name in archive.namelist() if str(carried.full_id).encode() in archive.read(name)}
    # The name of a reaction (`rn`) begins with it, as whoever gave it was told.
    assert named == {"manifest.json", "tables/conv_messages.jsonl", "tables/events.jsonl"}


async def test_blobs_come_along_and_archives_of_before_do_not(carried: Carried) -> None:
    folder = f"{carried.full_id}/"
    assert await carried.there.blobs.get(f"{folder}events/aa.json") == b'{"text": "x"}'
    assert await carried.there.blobs.get(f"turn-logs/{carried.full_id}/bb/cc.json") == bytes(range(256))
    assert [key async for key in carried.there.blobs.keys(f"{folder}archives/")] == []


async def let_in(installation: Installation, tenant_id: UUID, email: str) -> None:
    """The owner has a password, as after `goldloop user password`."""
    async with installation.db.tx(system_actor(tenant_id)) as tx:
        user_id = await tx.fetchval(
            "SELECT user_id FROM memberships WHERE tenant_id = $1 AND email = $2", tenant_id, email
        )
        await tx.fetchval("SELECT set_first_password($1, $2, 'Member')", user_id, PASSWORD_HASH)


async def pages(client: httpx.AsyncClient, tenant: str) -> dict[str, tuple[int, str]]:
    """Every answer to a GET that the document knows: without an id, and with those of the lists before it."""
    seen: dict[str, tuple[int, str]] = {}
    gets = [path for path, item in DOCUMENT["paths"].items() if "get" in item and path not in CHANGED_ROUTES]
    for path in sorted(gets, key=lambda path: path.count("{")):
        for asked in concrete(path.replace("{tenant}", tenant), seen):
            answer = await client.get(asked, params={n: v for n, v in FIXED.items() if takes(path, n)})
            seen[asked] = (answer.status_code, READ_AT.sub('"read_at":""', answer.text))
    return seen


def takes(path: str, name: str) -> bool:
    return any(each["name"] == name for each in DOCUMENT["paths"][path]["get"].get("parameters", []))


def concrete(path: str, seen: dict[str, tuple[int, str]]) -> list[str]:
    """The addresses of a route: its first parameter is the id of whatever the list before it holds."""
    if "{" not in path:
        return [path]
    head, _, rest = path.partition("{")
    _, _, tail = rest.partition("}")
    found = seen.get(head.rstrip("/")) or seen.get(head)
    if not found or found[0] != 200 or not found[1].startswith("{"):
        return []
    listed = json.loads(found[1]).get("data", [])
    ids = [each.get("id") or each.get("slug") for each in listed if isinstance(each, dict)][:2]
    return [each for one in ids if one for each in concrete(f"{head}{one}{tail}", seen)]


@pytest.mark.parametrize("slug", ["demo", "full"])
async def test_every_page_of_the_api_is_the_same(
    carried: Carried, module_database_url: str, other_database_url: str, slug: str
) -> None:
    tenant_id = carried.demo_id if slug == "demo" else carried.full_id
    email = demo.EMAIL if slug == "demo" else "owner-full@goldloop.test"
    password = demo.PASSWORD if slug == "demo" else PASSWORD
    await let_in(carried.there, tenant_id, email)
    answers = []
    for installation, url, folder, secret in (
        (carried.here, module_database_url, "here", password),
        (carried.there, other_database_url, "there", PASSWORD),
    ):
        app = app_on(installation.db, url, embedded_outside(carried.folder / folder))
        async with browser(app) as client:
            client.headers["X-Goldloop-Tenant"] = slug
            assert (await sign_in(client, email, secret)).status_code == 201
            answers.append(await pages(client, slug))
    before, after = [
        {path: each for path, each in answer.items() if slug == "demo" or not path.startswith(UNDER_WAY)}
        for answer in answers
    ]
    assert len(before) > 100
    assert [difference(path, before, after) for path in before if before[path] != after.get(path)] == []
    assert before.keys() == after.keys()


def difference(
    path: str, before: dict[str, tuple[int, str]], after: dict[str, tuple[int, str]]
) -> tuple[str, str, str]:
    """Where two answers begin to differ."""
    one, other = before[path][1], after.get(path, (0, ""))[1]
    at = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return path, one[max(0, at - 60) : at + 60], other[max(0, at - 60) : at + 60]


async def test_a_copy_in_the_same_installation_has_an_id_of_its_own_and_the_same_rows(
    carried: Carried,
) -> None:
    found = await carried.here.take(carried.folder / "full.zip", "copy")
    assert found.tenant_id != carried.full_id
    async with carried.here.db.tx(system_actor(carried.full_id)) as tx:
        tables, _ = select(await row_store.tables(tx), personal=True)
    for table in some(tables):
        if table.name in CHANGED_TABLES or table.name in ASKED_SINCE:
            continue
        before = await carried.here.rows(carried.full_id, table.name)
        after = await carried.here.rows(found.tenant_id, table.name, of=carried.full_id)  # names keep that
        assert before == after, table.name
