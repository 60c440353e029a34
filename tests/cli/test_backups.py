"""`goldloop backup` and `goldloop restore`: every table and every blob is there again, or nothing is."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from goldloop.cli import backups
from goldloop.erasures import row_store
from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import HolderKind, embedded_postgres, superuser_url
from goldloop.kit.outside import Outside
from tests.conversations.chats import make_chats
from tests.flows.conftest import desk_on
from tests.records import ok
from tests.servers import GOLDLOOP, environment, eventually, open_folder


def run(*arguments: str, **settings: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [*GOLDLOOP, *arguments, "--json"],
        env=environment(settings),
        capture_output=True,
        text=True,
        timeout=300,
    )
    text = done.stdout.strip() or done.stderr.strip().splitlines()[-1]
    return done.returncode, dict(json.loads(text)) if text.startswith("{") else {"text": done.stderr}


def begin(arguments: list[str], settings: dict[str, str]) -> subprocess.Popen[bytes]:
    """In a session of its own, so that its programs can be killed with it."""
    return subprocess.Popen(
        [*GOLDLOOP, *arguments, "--json"],
        env=environment(settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


async def contents(data_dir: Path, url: str) -> dict[str, list[str]]:
    """Every row of every table, as text."""
    connection = await connect(superuser_url(data_dir, urlsplit(url).path.lstrip("/")))
    try:
        tables = await connection.fetch(
            """
            SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p') AND n.nspname IN ('public', 'procrastinate') ORDER BY 1
            """
        )
        return {
            table["name"]: [
                row["row"]
                for row in await connection.fetch(f"SELECT t::text AS row FROM {table['name']} t ORDER BY 1")
            ]
            for table in tables
        }
    finally:
        await connection.close()


def blobs_of(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


async def fill(url: str, outside: Outside) -> None:
    async with desk_on(url, outside) as desk:
        await desk.promote(await desk.submit(await desk.make_record(), {"name": "Acme"}), "name")
        chats = await make_chats(desk.workspace, outside)
        await chats.add("c", {"turn_id": "t", "user": {"text": "Hello"}, "turn_log": {"steps": [1, 2]}})
        await chats.catch_up("blobs.write")
        ok(await desk.admin.get("/api/workspace"))


@pytest.mark.parametrize("name", ["folder", "file.tar"])
async def test_a_backup_that_is_restored_has_every_row_and_every_blob(
    fresh_database_url: str,
    empty_database_url: str,
    data_dir: Path,
    outside: Outside,
    tmp_path: Path,
    name: str,
) -> None:
    await fill(fresh_database_url, outside)
    before = await contents(data_dir, fresh_database_url)
    superuser = superuser_url(data_dir, urlsplit(fresh_database_url).path.lstrip("/"))
    settings = {"GOLDLOOP_DATABASE_URL": fresh_database_url, "GOLDLOOP_BLOB_URL": outside.blobs.url}
    target = str(tmp_path / name)
    code, made = await asyncio.to_thread(run, "backup", target, "--url", superuser, **settings)
    assert code == 0, made
    assert made["blobs"] == len(blobs_of(Path(outside.blobs.url)))
    again, refused = await asyncio.to_thread(run, "backup", target, "--url", superuser, **settings)
    assert again != 0, "no backup is written over another"
    there = {"GOLDLOOP_DATABASE_URL": empty_database_url, "GOLDLOOP_BLOB_URL": str(tmp_path / "blobs")}
    code, done = await asyncio.to_thread(run, "restore", target, **there)
    assert code == 0, done
    assert await contents(data_dir, empty_database_url) == before
    assert blobs_of(tmp_path / "blobs") == blobs_of(Path(outside.blobs.url))
    code, refused = await asyncio.to_thread(run, "restore", target, **there)
    assert code != 0
    assert "not empty" in str(refused)
    code, doctor = await asyncio.to_thread(run, "migrate", "status", **there)
    assert code == 0, doctor


async def test_restored_into_another_cluster_it_has_its_roles_and_the_owner_may_change_what_it_owns(
    fresh_database_url: str, data_dir: Path, outside: Outside, tmp_path: Path
) -> None:
    await fill(fresh_database_url, outside)
    superuser = superuser_url(data_dir, urlsplit(fresh_database_url).path.lstrip("/"))
    settings = {"GOLDLOOP_DATABASE_URL": fresh_database_url, "GOLDLOOP_BLOB_URL": outside.blobs.url}
    target = str(tmp_path / "backup")
    code, made = await asyncio.to_thread(run, "backup", target, "--url", superuser, **settings)
    assert code == 0, made
    with open_folder() as folder:
        there = folder / "data"
        code, done = await asyncio.to_thread(run, "restore", target, "--data-dir", str(there))
        assert code == 0, done
        async with embedded_postgres(there, HolderKind.COMMAND) as postgres:
            code, report = await asyncio.to_thread(run, "doctor", "--data-dir", str(there))
            assert {each["name"]: each["ok"] for each in report["checks"]}["roles"], report
            owner = await connect(postgres.url)
            assert not await owner.fetchval("SELECT pg_has_role(current_user, 'goldloop_eraser', 'USAGE')")
            rows = await contents(there, postgres.url)
            async with owner.transaction():
                tenant = await owner.fetchval("SELECT id FROM tenants")
                await owner.execute(f"SET LOCAL app.tenant = '{tenant}'")
                changed = await owner.execute("UPDATE events SET topic = topic")
            assert changed == f"UPDATE {len(rows['public.events'])}"
            await owner.close()
    assert rows == await contents(data_dir, fresh_database_url)


async def _waits(data_dir: Path, url: str) -> bool:
    """Whether somebody waits for a lock in this database."""
    watcher = await connect(superuser_url(data_dir))
    try:
        return bool(
            await watcher.fetchval(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'",
                urlsplit(url).path.lstrip("/"),
            )
        )
    finally:
        await watcher.close()


@pytest.mark.parametrize("name", ["folder", "file.tar"])
async def test_a_backup_that_is_killed_is_none_and_holds_nobody_up(
    fresh_database_url: str, data_dir: Path, outside: Outside, tmp_path: Path, name: str
) -> None:
    await fill(fresh_database_url, outside)
    superuser = superuser_url(data_dir, urlsplit(fresh_database_url).path.lstrip("/"))
    settings = {"GOLDLOOP_DATABASE_URL": fresh_database_url, "GOLDLOOP_BLOB_URL": outside.blobs.url}
    target = str(tmp_path / name)
    # Somebody holds a table that the dump needs.
    connection = await connect(fresh_database_url)
    await connection.execute("BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
    process = begin(["backup", target, "--url", superuser], settings)
    try:
        await eventually(partial(_waits, data_dir, fresh_database_url), 120)
        os.killpg(process.pid, signal.SIGKILL)
    finally:
        process.communicate()
        await connection.execute("ROLLBACK")
    assert not Path(target).exists(), "what has the name of a backup is whole"
    code, _ = await asyncio.to_thread(run, "restore", f"{target}.partial", **settings)
    assert code != 0

    async def free() -> bool:
        return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", row_store.BACKUP_LOCK))

    await eventually(free, 30)
    await connection.close()  # and with it the lock
    code, made = await asyncio.to_thread(run, "backup", target, "--url", superuser, **settings)
    assert code == 0, made
    assert sorted(each.name for each in tmp_path.iterdir()) == [name], "nothing of the first is left"


async def test_blobs_are_copied_a_few_at_a_time_however_many_there_are() -> None:
    begun: list[int] = []
    running = 0

    async def copy(key: str) -> None:
        nonlocal running
        running += 1
        begun.append(running)
        await asyncio.sleep(0)
        running -= 1

    async def keys() -> AsyncIterator[str]:
        for number in range(100):
            yield str(number)

    await backups._with_each(keys(), copy)
    assert (len(begun), max(begun)) == (100, backups.AT_ONCE)


async def test_a_restore_that_is_killed_leaves_an_empty_database_and_can_be_done_again(
    fresh_database_url: str, empty_database_url: str, data_dir: Path, outside: Outside, tmp_path: Path
) -> None:
    await fill(fresh_database_url, outside)
    superuser = superuser_url(data_dir, urlsplit(fresh_database_url).path.lstrip("/"))
    settings = {"GOLDLOOP_DATABASE_URL": fresh_database_url, "GOLDLOOP_BLOB_URL": outside.blobs.url}
    target = str(tmp_path / "backup")
    code, made = await asyncio.to_thread(run, "backup", target, "--url", superuser, **settings)
    assert code == 0, made
    there = {"GOLDLOOP_DATABASE_URL": empty_database_url, "GOLDLOOP_BLOB_URL": str(tmp_path / "blobs")}
    # Somebody holds a lock that the restore runs into when it has made half of the tables.
    connection = await connect(superuser_url(data_dir, urlsplit(empty_database_url).path.lstrip("/")))
    await connection.execute("BEGIN; CREATE SCHEMA procrastinate")
    process = begin(["restore", target], there)
    try:
        await eventually(partial(_waits, data_dir, empty_database_url), 120)
        os.killpg(process.pid, signal.SIGKILL)
    finally:
        process.communicate()
        await connection.execute("ROLLBACK")
        await connection.close()

    async def over() -> bool:
        return await contents(data_dir, empty_database_url) == {}

    await eventually(over, 30)
    code, done = await asyncio.to_thread(run, "restore", target, **there)
    assert code == 0, done
    assert await contents(data_dir, empty_database_url) == await contents(data_dir, fresh_database_url)


async def test_what_is_no_whole_backup_is_refused(empty_database_url: str, tmp_path: Path) -> None:
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "database.dump").write_bytes(b"x")
    there = {"GOLDLOOP_DATABASE_URL": empty_database_url, "GOLDLOOP_BLOB_URL": str(tmp_path / "blobs")}
    code, refused = await asyncio.to_thread(run, "restore", str(tmp_path / "half"), **there)
    assert code != 0
    assert "no whole backup" in str(refused)


async def test_blobs_are_not_deleted_while_a_backup_is_made(
    fresh_database_url: str, outside: Outside
) -> None:
    async with desk_on(fresh_database_url, outside) as desk:
        connection = await connect(fresh_database_url)
        await connection.execute("SELECT pg_advisory_lock($1)", row_store.BACKUP_LOCK)
        async with desk.workspace.db.tx(desk.workspace.system) as tx:
            assert not await row_store.try_hold_blobs(tx)
        await connection.close()

        async def free() -> bool:
            async with desk.workspace.db.tx(desk.workspace.system) as tx:
                return await row_store.try_hold_blobs(tx)

        await eventually(free, 10)
