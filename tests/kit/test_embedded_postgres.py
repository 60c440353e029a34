"""The embedded PostgreSQL and what happens to it: second users, kills, unfinished starts, odd folders."""

import asyncio
import json
import logging
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import psycopg
import pytest

import goldloop.kit.embedded_postgres as package
from goldloop.kit.embedded_postgres import (
    DataFolderInUse,
    EmbeddedPostgresError,
    HolderKind,
    bin_dir,
    binaries,
    embedded_postgres,
    layout,
    stale,
    status,
    superuser_url,
)
from goldloop.kit.embedded_postgres.account import service_account
from goldloop.kit.embedded_postgres.children import spawn, wait_until
from goldloop.kit.embedded_postgres.processes import find_process

SOURCE = Path(package.__file__).parents[3]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes users")

HOLDER = """
import asyncio, json, sys
from pathlib import Path
from goldloop.kit.embedded_postgres import EmbeddedPostgresError, HolderKind, embedded_postgres

def say(**what):
    print(json.dumps(what), flush=True)

async def main():
    try:
        async with embedded_postgres(Path(sys.argv[1]), HolderKind(sys.argv[2])) as postgres:
            say(url=postgres.url, supervising=postgres.supervising)
            while await asyncio.to_thread(sys.stdin.readline):
                say(supervising=postgres.supervising)
    except EmbeddedPostgresError as error:
        say(error=type(error).__name__, message=str(error))

asyncio.run(main())
"""


class OtherProcess:
    """A process of its own that holds the data folder until it is told to leave or is killed."""

    def __init__(self, data_dir: Path, kind: HolderKind) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-X", "dev", "-c", HOLDER, str(data_dir), kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE), *sys.path])},
        )

    async def answer(self) -> dict[str, str | bool]:
        assert self.process.stdout is not None
        return json.loads(await asyncio.to_thread(self.process.stdout.readline))

    async def ask(self) -> dict[str, str | bool]:
        assert self.process.stdin is not None
        self.process.stdin.write("?\n")
        self.process.stdin.flush()
        return await self.answer()

    async def leave(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        await asyncio.to_thread(self.process.wait)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


Other = Callable[[Path, HolderKind], OtherProcess]


@pytest.fixture(scope="module")
def module_folder() -> Iterator[Path]:
    """Open to the account that runs PostgreSQL, which pytest's own temporary folders are not."""
    path = Path(tempfile.mkdtemp(prefix="ep-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def folder(module_folder: Path) -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(dir=module_folder))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def fresh_dir(folder: Path) -> Iterator[Path]:
    yield folder / "data"
    check_nothing_runs(folder / "data")


@pytest.fixture
def data_dir(module_folder: Path) -> Iterator[Path]:
    """One for all tests that need no first start: what one of them does to it, the next one survives."""
    yield module_folder / "data"
    check_nothing_runs(module_folder / "data")


def check_nothing_runs(data_dir: Path) -> None:
    deadline = time.monotonic() + 60
    while status(data_dir).pid is not None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert status(data_dir).pid is None, "PostgreSQL outlived the test"


@pytest.fixture
def other() -> Iterator[Other]:
    started: list[OtherProcess] = []

    def start(data_dir: Path, kind: HolderKind) -> OtherProcess:
        started.append(OtherProcess(data_dir, kind))
        return started[-1]

    yield start
    for process in started:
        process.close()


async def keep_a_number(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS number")
    finally:
        await connection.close()


async def fetch(url: str, query: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def fetch_when_back(url: str, query: str, seconds: float = 15) -> object:
    deadline = time.monotonic() + seconds
    while True:
        try:
            return await fetch(url, query)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.05)


def found(folder: Path, pattern: str) -> list[Path]:
    return list(folder.glob(pattern))


def start_as_owner(program: list[str], cluster: Path) -> subprocess.Popen[bytes]:
    """By the same user, since PostgreSQL itself overlooks what it may not signal."""
    return subprocess.Popen(program, user=cluster.stat().st_uid if os.geteuid() == 0 else None)


async def test_first_start_makes_a_database_and_the_second_keeps_it(fresh_dir: Path) -> None:
    async with embedded_postgres(fresh_dir, HolderKind.SERVE) as postgres:
        assert postgres.supervising
        with psycopg.connect(postgres.url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS number")
        assert await fetch(postgres.url, "SELECT current_user || '/' || current_database()") == (
            "goldloop_owner/goldloop"
        )
        password = urlsplit(postgres.url).password
        assert password
        assert password not in repr(postgres)
    async with embedded_postgres(fresh_dir, HolderKind.SERVE) as postgres:
        assert await fetch(postgres.url, "SELECT number FROM kept") == 42


async def test_the_cluster_is_durable_deterministic_and_off_the_network(data_dir: Path) -> None:
    async with embedded_postgres(data_dir, HolderKind.COMMAND) as postgres:
        connection = await asyncpg.connect(postgres.url)
        expected = {
            "data_checksums": "on",
            "fsync": "on",
            "full_page_writes": "on",
            "synchronous_commit": "on",
            "listen_addresses": "",
            "max_connections": "200",
            "shared_buffers": "128MB",
            "server_encoding": "UTF8",
            "TimeZone": "UTC",
        }
        found = {name: await connection.fetchval(f"SHOW {name}") for name in expected}
        locale = await connection.fetchrow(
            "SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'goldloop'"
        )
        role = await connection.fetchrow(
            "SELECT rolsuper, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname = current_user"
        )
        await connection.close()
        methods = await fetch(
            superuser_url(data_dir), "SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules"
        )
    assert found == expected
    assert locale is not None
    assert role is not None
    assert tuple(locale) == (b"b", "C.UTF-8")
    assert tuple(role) == (False, True, False)
    assert methods == "scram-sha-256"


async def test_secrets_are_private_and_a_wrong_password_is_refused(data_dir: Path) -> None:
    async with embedded_postgres(data_dir, HolderKind.COMMAND) as postgres:
        files = found(data_dir, "*.password")
        assert {file.name for file in files} == {"postgres.password", "goldloop_owner.password"}
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert stat.S_IMODE((data_dir / "run").stat().st_mode) == 0o700
        password = urlsplit(postgres.url).password or ""
        with pytest.raises(asyncpg.InvalidPasswordError):
            await fetch(postgres.url.replace(password, "guess"), "SELECT 1")


async def test_a_lost_password_file_is_replaced(data_dir: Path) -> None:
    async with embedded_postgres(data_dir, HolderKind.COMMAND) as postgres:
        before = postgres.url
    (data_dir / "goldloop_owner.password").unlink()
    async with embedded_postgres(data_dir, HolderKind.COMMAND) as postgres:
        assert postgres.url != before
        assert await fetch(postgres.url, "SELECT 1") == 1


async def test_a_second_server_is_refused_at_once_and_a_command_attaches(
    data_dir: Path, other: Other
) -> None:
    server = other(data_dir, HolderKind.SERVE)
    assert (await server.answer())["supervising"] is True
    with pytest.raises(DataFolderInUse) as refused:
        async with embedded_postgres(data_dir, HolderKind.SERVE):
            pass
    assert server.process.poll() is None, "it does not wait for the other to go"
    for fact in (str(data_dir), "serve", str(server.process.pid)):
        assert fact in str(refused.value)
    async with embedded_postgres(data_dir, HolderKind.COMMAND) as postgres:
        assert not postgres.supervising
        assert await fetch(postgres.url, "SELECT 1") == 1
    assert (await server.ask())["supervising"] is True
    assert status(data_dir).running
    await server.leave()


async def test_a_commit_survives_the_kill_of_the_supervisor(data_dir: Path, other: Other) -> None:
    server = other(data_dir, HolderKind.SERVE)
    url = str((await server.answer())["url"])
    await keep_a_number(url)
    server.kill()
    async with embedded_postgres(data_dir, HolderKind.SERVE) as postgres:
        assert postgres.supervising
        assert postgres.url == url
        assert await fetch(url, "SELECT number FROM kept") == 42


async def test_postgres_ends_when_its_supervisor_is_killed(data_dir: Path, other: Other) -> None:
    server = other(data_dir, HolderKind.SERVE)
    await server.answer()
    pid = status(data_dir).pid
    assert pid is not None
    server.kill()
    assert await wait_until(lambda: find_process(pid) is None, 10)


async def test_a_killed_postmaster_is_replaced_even_while_an_old_backend_is_busy(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stale, "_END_BY_ITSELF_SECONDS", 1.0)
    async with embedded_postgres(data_dir, HolderKind.SERVE) as postgres:
        await keep_a_number(postgres.url)
        busy = await asyncpg.connect(postgres.url)
        endless = asyncio.create_task(busy.execute("DO $$ BEGIN LOOP PERFORM 1; END LOOP; END $$"))
        assert not (await asyncio.wait({endless}, timeout=0.2))[0]
        before = status(data_dir).pid
        assert before is not None
        with caplog.at_level(logging.ERROR, logger="goldloop.postgres"):
            os.kill(before, signal.SIGKILL)
            await asyncio.sleep(0.3)
            assert await fetch_when_back(postgres.url, "SELECT number FROM kept") == 42
        assert "ended unexpectedly" in caplog.text
        assert status(data_dir).pid not in (None, before)
        assert isinstance((await asyncio.gather(endless, return_exceptions=True))[0], Exception)


async def test_an_attached_process_takes_over_on_the_same_address(data_dir: Path, other: Other) -> None:
    server = other(data_dir, HolderKind.SERVE)
    url = str((await server.answer())["url"])
    api = other(data_dir, HolderKind.API)
    assert await api.answer() == {"url": url, "supervising": False}
    await keep_a_number(url)
    server.kill()
    await asyncio.sleep(0.2)
    assert await fetch_when_back(url, "SELECT number FROM kept") == 42
    assert (await api.ask())["supervising"] is True
    holder = status(data_dir).holder
    assert holder is not None
    assert (holder.kind, holder.pid) == (HolderKind.API, api.process.pid)
    async with embedded_postgres(data_dir, HolderKind.SERVE) as postgres:
        assert not postgres.supervising
        await api.leave()
        assert await fetch_when_back(url, "SELECT number FROM kept") == 42
        assert postgres.supervising


async def test_an_attached_command_does_not_take_over(data_dir: Path, other: Other) -> None:
    server = other(data_dir, HolderKind.SERVE)
    await server.answer()
    async with embedded_postgres(data_dir, HolderKind.COMMAND) as postgres:
        await server.leave()
        await asyncio.sleep(1)
        assert not postgres.supervising
        assert not status(data_dir).running


async def test_a_server_waits_for_a_command_to_finish(data_dir: Path, other: Other) -> None:
    command = other(data_dir, HolderKind.COMMAND)
    await command.answer()
    server = other(data_dir, HolderKind.SERVE)
    waiting = asyncio.create_task(server.answer())
    assert not (await asyncio.wait({waiting}, timeout=1))[0]
    await command.leave()
    assert (await waiting)["supervising"] is True
    await server.leave()


async def test_a_command_that_supervises_waits_for_those_that_attached(data_dir: Path, other: Other) -> None:
    first = other(data_dir, HolderKind.COMMAND)
    await first.answer()
    async with embedded_postgres(data_dir, HolderKind.COMMAND) as second:
        assert not second.supervising
        leaving = asyncio.create_task(first.leave())
        await asyncio.sleep(0.5)
        assert await fetch(second.url, "SELECT 1") == 1
    await asyncio.wait_for(leaving, 60)
    assert not status(data_dir).running


@pytest.mark.parametrize(("program", "alive"), [(["sleep", "60"], True), (["true"], False)])
async def test_a_stale_pid_file_naming_another_process_is_recovered(
    data_dir: Path, program: list[str], alive: bool
) -> None:
    """A running program, and a zombie."""
    async with embedded_postgres(data_dir, HolderKind.COMMAND):
        pid_file = (data_dir / "postgres" / "postmaster.pid").read_text()
    stranger = start_as_owner(program, data_dir / "postgres")
    try:
        await asyncio.sleep(0.1)
        lines = pid_file.splitlines()
        stale = "\n".join([str(stranger.pid), *lines[1:]])
        (data_dir / "postgres" / "postmaster.pid").write_text(f"{stale}\n")
        assert not status(data_dir).running
        async with embedded_postgres(data_dir, HolderKind.COMMAND) as postgres:
            assert await fetch(postgres.url, "SELECT 1") == 1
        assert (stranger.poll() is None) is alive
    finally:
        stranger.kill()
        stranger.wait()


async def test_a_server_started_by_hand_is_reported_and_left_alone(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with embedded_postgres(data_dir, HolderKind.COMMAND):
        pass
    monkeypatch.setattr(stale, "_END_BY_ITSELF_SECONDS", 0.5)
    cluster = data_dir / "postgres"
    argv = [str(bin_dir() / "postgres"), "-D", str(cluster), "-h", "", "-k", str(data_dir / "run")]
    by_hand = spawn(argv, service_account(cluster, data_dir), output=subprocess.DEVNULL)
    try:
        assert await wait_until((cluster / "postmaster.pid").exists, 10)
        with pytest.raises(EmbeddedPostgresError, match=str(by_hand.pid)):
            async with embedded_postgres(data_dir, HolderKind.SERVE):
                pass
        assert by_hand.poll() is None
    finally:
        by_hand.send_signal(signal.SIGINT)
        by_hand.wait()


async def test_a_kill_at_any_point_of_the_first_start_is_recovered(fresh_dir: Path, other: Other) -> None:
    for delay in (0.0, 0.2, 0.4, 0.5, 0.6):
        process = other(fresh_dir, HolderKind.SERVE)
        assert await wait_until(lambda: bool(found(fresh_dir, "postgres*")), 10)
        await asyncio.sleep(delay)
        process.kill()
    (fresh_dir / "postgres.new-left" / "data").mkdir(parents=True)
    async with embedded_postgres(fresh_dir, HolderKind.SERVE) as postgres:
        assert await fetch(postgres.url, "SELECT current_user::text") == "goldloop_owner"
    assert not found(fresh_dir, "postgres.new-*")


async def test_a_cancelled_first_start_leaves_nothing_behind(fresh_dir: Path) -> None:
    async def use() -> None:
        async with embedded_postgres(fresh_dir, HolderKind.SERVE):
            pytest.fail("started in no time")

    starting = asyncio.create_task(use())
    await asyncio.sleep(0.3)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not found(fresh_dir, "postgres.new-*")
    async with embedded_postgres(fresh_dir, HolderKind.SERVE) as postgres:
        assert await fetch(postgres.url, "SELECT 1") == 1


@pytest.mark.parametrize("name", ["long-" * 30, "a, b 'c' ü"])
async def test_a_folder_unfit_for_a_socket_address_works(folder: Path, name: str) -> None:
    data_dir = folder / name
    urls = []
    for _ in range(2):
        async with embedded_postgres(data_dir, HolderKind.COMMAND) as postgres:
            urls.append(postgres.url)
            assert await fetch(postgres.url, "SELECT 1") == 1
    assert urls[0] == urls[1]
    sockets = layout.find_layout(data_dir).find_sockets()
    assert sockets is not None
    assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    assert sockets.parent == Path(tempfile.gettempdir())
    sockets.rmdir()


def test_a_copied_folder_does_not_share_the_sockets_of_the_original(folder: Path) -> None:
    for name in ("original", "copy"):
        (folder / name).mkdir()
    original, copy = layout.Layout(home=folder / "original"), layout.Layout(home=folder / "copy")
    sockets = layout.ensure_sockets(original, None)
    shutil.copy(folder / "original" / "sockets.json", folder / "copy")
    assert original.find_sockets() == sockets
    assert copy.find_sockets() is None


async def test_status_only_looks(fresh_dir: Path) -> None:
    before = status(fresh_dir)
    assert (before.running, before.pid, before.holder, before.cluster_version) == (False, None, None, None)
    assert not found(fresh_dir, "*")
    async with embedded_postgres(fresh_dir, HolderKind.WORKER):
        during = status(fresh_dir)
        assert during.running
        assert during.holder is not None
        assert (during.holder.kind, during.holder.pid) == (HolderKind.WORKER, os.getpid())
        assert during.server is None
        assert during.cluster == fresh_dir / "postgres"
        assert during.binaries_version is not None
        assert during.binaries_version.split(".")[0] == during.cluster_version
    after = status(fresh_dir)
    assert (after.running, after.pid, after.holder) == (False, None, None)


async def test_a_cluster_of_another_major_version_is_named(fresh_dir: Path) -> None:
    (fresh_dir / "postgres").mkdir(parents=True)
    (fresh_dir / "postgres" / "PG_VERSION").write_text("17\n")
    if os.geteuid() == 0:
        shutil.chown(fresh_dir / "postgres", "nobody")
    with pytest.raises(EmbeddedPostgresError, match="made by PostgreSQL 17; this is 18"):
        async with embedded_postgres(fresh_dir, HolderKind.COMMAND):
            pass


async def test_a_data_folder_that_cannot_be_made_is_named(folder: Path) -> None:
    (folder / "file").write_text("")
    with pytest.raises(EmbeddedPostgresError, match=r"data folder .*/file/data cannot be used"):
        async with embedded_postgres(folder / "file" / "data", HolderKind.COMMAND):
            pass


@needs_root
async def test_root_keeps_private_folders_private(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python and the data folder both under a home that the database's account may not enter."""
    private = folder / "home"
    private.mkdir(mode=0o700)
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        (private / name).symlink_to(bin_dir().parents[2] / name)
    monkeypatch.setattr(binaries, "_site_dir", lambda: private)
    monkeypatch.setattr(layout, "SYSTEM_HOME", folder / "system")
    data_dir = private / "data"
    for _ in range(2):
        async with embedded_postgres(data_dir, HolderKind.SERVE) as postgres:
            assert await fetch(postgres.url, "SELECT 1") == 1
            cluster = status(data_dir).cluster
    assert cluster.is_relative_to(folder / "system")
    assert cluster.stat().st_uid != 0
    assert len(list((folder / "system").glob("pg-*/embedded_postgres/pginstall/bin/postgres"))) == 1
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    data_dir.rename(private / "moved")
    async with embedded_postgres(data_dir, HolderKind.SERVE):
        assert status(data_dir).cluster != cluster, "a new folder must not get a moved folder's database"
