"""One server per process of the tests: starting it costs more than most of the tables."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest_asyncio

from goldloop.app import build_app
from goldloop.kit.db import WORKER_ROLE, Database, connect, open_database
from goldloop.kit.embedded_postgres import EmbeddedPostgres, superuser_url
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from tests.conftest import _clone, _drop
from tests.factories import Workspace, make_workspace
from tests.hostile.arena import Arena
from tests.hostile.probe import Probe
from tests.hostile.wire import Header
from tests.outside import embedded_outside
from tests.routes import make_target
from tests.servers import GOLDLOOP, Program, free_port, open_folder

SECRET = "a secret of the tests"


@pytest_asyncio.fixture(scope="session")
async def arena(cluster: EmbeddedPostgres, data_dir: Path) -> AsyncIterator[Arena]:
    """Without a worker: what changes in the database is changed by requests alone."""
    async with opened_arena(cluster, data_dir, "api") as made:
        yield made


@pytest_asyncio.fixture(scope="session")
async def working_arena(cluster: EmbeddedPostgres, data_dir: Path) -> AsyncIterator[Arena]:
    """With jobs on the same loop, as most servers run."""
    async with opened_arena(cluster, data_dir, "serve") as made:
        yield made


@asynccontextmanager
async def opened_arena(cluster: EmbeddedPostgres, data_dir: Path, command: str) -> AsyncIterator[Arena]:
    name, url = await _clone(data_dir, cluster.url)
    superuser = await connect(superuser_url(data_dir, urlsplit(url).path.lstrip("/")))
    async with open_database(url) as db, AsyncExitStack() as stack:
        auth = Authenticator(db=db, secret=SECRET.encode())
        app = build_app(db, auth, Feed(db=db, url=url, auth=auth), embedded_outside(data_dir / "blobs"))
        worker_db = Database(pool=db.pool, role=WORKER_ROLE)
        one, other = [await stack.enter_async_context(make_workspace(worker_db, app)) for _ in range(2)]
        attacker, bystander = await make_target(one), await make_target(other)
        port = free_port()
        program = stack.enter_context(_running(command, port, url))
        await program.line()
        made = Arena(
            program=program,
            port=port,
            attacker=attacker,
            bystander=bystander,
            key=(await one.make_key())[1],
            session=await _session(one),
            bystander_key=(await other.make_key())[1],
            superuser=superuser,
            probe=stack.enter_context(Probe(port, program.process.pid).running()),
        )
        await _measure_harmless(made)
        yield made
        made.wire.close()
    await superuser.close()
    await _drop(data_dir, name)


@contextmanager
def _running(command: str, port: int, url: str) -> Iterator[Program]:
    settings = {"GOLDLOOP_DATABASE_URL": url, "GOLDLOOP_SECRET_KEY": SECRET}
    with open_folder() as folder:
        argv = [*GOLDLOOP, command, "--json", "--port", str(port), "--data-dir", str(folder / "data")]
        program = Program(argv, folder, settings)
        try:
            yield program
        finally:
            program.close()


async def _session(workspace: Workspace) -> tuple[Header, ...]:
    browser = await workspace.signed_in()
    return (
        (b"Cookie", f"goldloop_session={browser.cookies['goldloop_session']}".encode()),
        (b"X-Goldloop-CSRF", browser.headers["X-Goldloop-CSRF"].encode()),
        (b"X-Goldloop-Tenant", workspace.slug.encode()),
    )


async def _measure_harmless(arena: Arena) -> None:
    """How long the loop is held by nothing, and by what is as large as a request may be, and good."""
    start = time.monotonic()
    await asyncio.sleep(0.3)
    made = [await arena.make_large_record() for _ in range(5)]
    arena.set_bound(await arena.probe.held(start, time.monotonic()))
    for record in made:
        await arena.remove_record(record)
