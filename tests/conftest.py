"""The ground that tests stand on: a real PostgreSQL, a clone of a migrated template, a workspace per test.

Tests commit for real. What keeps them apart is what keeps customers apart: each test has its own tenant.
A test of races, workers or crashes takes a clone of its own (`fresh_database_url`).
"""

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import uvicorn
from hypothesis import settings

from goldloop.app import build_app
from goldloop.kit import queue
from goldloop.kit.db import WORKER_ROLE, Database, connect, open_database
from goldloop.kit.embedded_postgres import EmbeddedPostgres, HolderKind, embedded_postgres, superuser_url
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.live.feed import Feed
from goldloop.migrations import distribution, runner
from goldloop.tenants.auth.authenticator import Authenticator
from tests.clinic import Clinic, make_clinic
from tests.factories import Workspace, make_workspace
from tests.outside import embedded_outside
from tests.records import Desk, make_desk
from tests.servers import Commands, Program, pooled, running_server, start_server

settings.register_profile("goldloop", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("goldloop")

DATABASE_FIXTURES = {"cluster", "citus_url", "browser", "playwright"}  # what all others of that kind stand on
ON_CITUS = {"database_url", "citus_url"}
AS_SUPERUSER = {"database_url", "data_dir"}  # there by the folder of the PostgreSQL that tests start
STARTS = (embedded_postgres, Program, Commands, start_server, running_server, uvicorn)
IN_MEMORY = Path("/dev/shm")
ROOM = 8 * 1024**3  # bytes: what all processes of the tests together write, and as much again
THROUGH_PGBOUNCER = os.environ.get("GOLDLOOP_TEST_PGBOUNCER") == "1"
CITUS_URL = os.environ.get(
    "GOLDLOOP_TEST_CITUS_URL", ""
)  # the coordinator, as the login that owns the database


class NetworkIsShut(RuntimeError):
    """A test tried to reach beyond this machine."""


def _only_loopback(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = str(arguments[1][0])
        try:
            allowed = host == "localhost" or ip_address(host.split("%")[0]).is_loopback
        except ValueError:
            allowed = False
        if not allowed:
            raise NetworkIsShut(f"connect to {arguments[1]}")


sys.addaudithook(_only_loopback)


def pytest_collection() -> None:
    gc.disable()  # thousands of tests are made, and none of them is garbage


def pytest_collection_finish() -> None:
    """What is there now stays: nothing that is looked for in a test, and half a second at each look."""
    gc.enable()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if CITUS_URL:  # what stands on a database of its own would say nothing about that one
        others = [item for item in items if not ON_CITUS & set(getattr(item, "fixturenames", ()))]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in set(others)]
        for item in items:
            asked = set(getattr(item, "fixturenames", ()))
            if asked >= AS_SUPERUSER and "cluster" not in asked:
                item.add_marker(
                    pytest.mark.skip("asks as a superuser, whom only the PostgreSQL of the tests has")
                )
    for item in items:
        if isinstance(item, pytest.Function) and needs_database(item):
            item.add_marker(pytest.mark.database)
        elif isinstance(item, pytest.Function) and subprocess in vars(item.module).values():
            item.add_marker(pytest.mark.slow)


def needs_database(test: pytest.Function) -> bool:
    """It, or a fixture of its, asks for a PostgreSQL, or its file has what starts one or a server or a browser."""
    starts = any(each is start for each in vars(test.module).values() for start in STARTS)
    return starts or not DATABASE_FIXTURES.isdisjoint(test.fixturenames)


def _in_memory() -> Path | None:
    """A folder that is never written to a disk, where there is room: every commit of a test waits for one otherwise."""
    if not IN_MEMORY.is_dir() or not os.access(IN_MEMORY, os.W_OK):
        return None
    memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return IN_MEMORY if min(memory, shutil.disk_usage(IN_MEMORY).free) > ROOM else None


@pytest.fixture(scope="session")
def data_dir() -> Iterator[Path]:
    """A folder that the unprivileged user of an embedded PostgreSQL can reach, also when tests run as root. Tests
    that other tests start may use theirs, and the PostgreSQL that runs on it."""
    if given := os.environ.get("GOLDLOOP_TEST_DATA_DIR"):
        yield Path(given)
        return
    folder = Path(tempfile.mkdtemp(prefix="goldloop-test-", dir=_in_memory()))
    folder.chmod(0o755)
    yield folder / "data"
    shutil.rmtree(folder, ignore_errors=True)


@pytest_asyncio.fixture(scope="session")
async def cluster(data_dir: Path) -> AsyncIterator[EmbeddedPostgres]:
    async with embedded_postgres(data_dir, HolderKind.COMMAND) as postgres:
        connection = await connect(postgres.url)
        await runner.up(connection)
        await connection.close()
        yield postgres


async def _clone(data_dir: Path, url: str) -> tuple[str, str]:
    name = f"test_{new_id().hex}"
    connection = await connect(superuser_url(data_dir))
    await connection.execute(f"CREATE DATABASE {name} TEMPLATE goldloop OWNER goldloop_owner")
    await connection.close()
    return name, url.replace("/goldloop?", f"/{name}?")


async def _create_empty(data_dir: Path, url: str) -> tuple[str, str]:
    name = f"test_{new_id().hex}"
    connection = await connect(superuser_url(data_dir))
    await connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 OWNER goldloop_owner")
    await connection.close()
    return name, url.replace("/goldloop?", f"/{name}?")


async def _drop(data_dir: Path, name: str) -> None:
    connection = await connect(superuser_url(data_dir))
    await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await connection.close()


async def make_distributed(url: str) -> None:
    """Migrated and on shards; nothing where another process of the tests has done it."""
    connection = await connect(url)
    await runner.up(connection)
    async with runner.Locked(connection):
        if (await distribution.examine(connection)).cannot_log_in:
            await distribution.let_roles_log_in(connection)
        await distribution.distribute(connection)
    await connection.close()


@pytest_asyncio.fixture(scope="session")
async def citus_url() -> str:
    """A database on Citus, migrated and distributed, that others may use at the same time."""
    if not CITUS_URL:
        pytest.skip("GOLDLOOP_TEST_CITUS_URL is not set: nothing is tried on Citus")
    await make_distributed(CITUS_URL)
    return CITUS_URL


@pytest_asyncio.fixture(scope="session", name="sharded_database_url" if not CITUS_URL else "database_url")
async def sharded_url(citus_url: str) -> str:
    """In the place of the clone, where there is a Citus."""
    return citus_url


@pytest_asyncio.fixture(scope="session", name="cloned_database_url" if CITUS_URL else "database_url")
async def cloned_url(cluster: EmbeddedPostgres, data_dir: Path) -> AsyncIterator[str]:
    """The clone that most tests of one process share; behind a pooler if that is asked for."""
    _, url = await _clone(data_dir, cluster.url)
    with pooled(url) if THROUGH_PGBOUNCER else nullcontext(url) as reached:
        yield reached


@pytest_asyncio.fixture
async def fresh_database_url(cluster: EmbeddedPostgres, data_dir: Path) -> AsyncIterator[str]:
    """A migrated database of the test's own."""
    name, url = await _clone(data_dir, cluster.url)
    yield url
    await _drop(data_dir, name)


@pytest_asyncio.fixture(scope="module")
async def module_database_url(cluster: EmbeddedPostgres, data_dir: Path) -> AsyncIterator[str]:
    """A migrated database that the tests of one file share, and nobody else."""
    name, url = await _clone(data_dir, cluster.url)
    yield url
    await _drop(data_dir, name)


@pytest_asyncio.fixture
async def empty_database_url(cluster: EmbeddedPostgres, data_dir: Path) -> AsyncIterator[str]:
    """A database of the test's own that nobody has migrated yet."""
    name, url = await _create_empty(data_dir, cluster.url)
    yield url
    await _drop(data_dir, name)


@pytest.fixture
def registry() -> Iterator[None]:
    """A test may register jobs, periodic jobs and marks of its own; they are gone after it."""
    kinds: list[dict[str, Any]] = [queue.JOBS, queue.PERIODIC, queue.MARKS]
    before = [dict(kind) for kind in kinds]
    yield
    for kind, registered in zip(kinds, before, strict=True):
        kind.clear()
        kind.update(registered)


@pytest_asyncio.fixture(scope="session")
async def db(database_url: str) -> AsyncIterator[Database]:
    async with open_database(
        database_url, statement_cache=0 if THROUGH_PGBOUNCER else 100, pooler=THROUGH_PGBOUNCER
    ) as opened:
        yield opened


@pytest.fixture(scope="session")
def worker_db(db: Database) -> Database:
    return db.in_role(WORKER_ROLE)


@pytest_asyncio.fixture(scope="session")
async def auth(db: Database) -> Authenticator:
    return Authenticator(db=db, secret=b"a secret of the tests")


@pytest.fixture(scope="session")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Outside:
    return embedded_outside(tmp_path_factory.mktemp("blobs"))


@pytest_asyncio.fixture(scope="session")
async def app(db: Database, auth: Authenticator, database_url: str, outside: Outside) -> Any:
    return build_app(db, auth, Feed(db=db, url=database_url, auth=auth), outside)


@pytest_asyncio.fixture
async def anonymous(app: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client without any credentials."""
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://goldloop.test"
    ) as client:
        yield client


@pytest_asyncio.fixture
async def workspace(worker_db: Database, app: Any) -> AsyncIterator[Workspace]:
    async with make_workspace(worker_db, app) as made:
        yield made


@pytest_asyncio.fixture
async def other_workspace(worker_db: Database, app: Any) -> AsyncIterator[Workspace]:
    async with make_workspace(worker_db, app) as made:
        yield made


@pytest_asyncio.fixture
async def desk(workspace: Workspace) -> Desk:
    """The workspace with a type of record, `company`."""
    made = await make_desk(workspace)
    await made.make_type()
    return made


@pytest_asyncio.fixture
async def clinic(desk: Desk) -> Clinic:
    return await make_clinic(desk)
