"""What the measuring stands on: a PostgreSQL in a temporary folder, workspaces in it, the server as a process.

The server is `goldloop api`: what a request costs, without the worker's polling beside it.
"""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import goldloop.concepts  # noqa: F401  registers jobs, marks and listeners
from goldloop.kit.db import WORKER_ROLE, Database, connect, open_database
from goldloop.kit.embedded_postgres import HolderKind, embedded_postgres, superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import runner
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.keys import service as keys
from goldloop.tenants.model import Role
from goldloop.tenants.workspaces import service as workspaces

START_SECONDS = 300  # a busy machine takes minutes; a server that ends is noticed at once
STOP_SECONDS = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """A workspace with a key of its owner."""

    id: UUID
    owner_id: UUID
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    folder: Path
    url: str
    superuser_url: str
    port: int
    server_pid: int
    db: Database

    @property
    def log(self) -> Path:
        return self.folder / "data" / "postgres.log"

    async def make_tenant(self) -> Tenant:
        slug = f"bench-{new_id().hex}"
        made = await workspaces.create(
            self.db, slug, "Bench", f"{slug}@goldloop.test", "correct horse battery"
        )
        owner = made.owner.user_id
        async with self.db.tx(system_actor(made.workspace.id)) as tx:
            key = await keys.create(tx, keys.NewKey(id=None, name="bench", role=Role.OWNER, user_id=owner))
        assert key.secret is not None
        return Tenant(id=made.workspace.id, owner_id=owner, secret=key.secret)

    @asynccontextmanager
    async def superuser(self) -> AsyncIterator[Any]:
        """For filling tables and for settings of the whole cluster."""
        connection = await connect(self.superuser_url)
        try:
            yield connection
        finally:
            await connection.close()


@asynccontextmanager
async def open_ground(connections: int, settings: Mapping[str, str] | None = None) -> AsyncIterator[Ground]:
    """`settings` of PostgreSQL, also those that it reads when it starts."""
    folder = Path(tempfile.mkdtemp(prefix="goldloop-bench-"))
    folder.chmod(0o755)  # PostgreSQL started by root runs as another user, who must get here
    try:
        if settings:
            await _set(folder, settings)
        async with embedded_postgres(folder / "data", HolderKind.COMMAND) as postgres:
            connection = await connect(postgres.url)
            await runner.up(connection)
            await connection.close()
            port = free_port()
            with server_process(folder, postgres.url, port, connections) as process:
                await wait_until_ready(process, port, folder)
                async with open_database(postgres.url, role=WORKER_ROLE, size=2) as db:
                    yield Ground(
                        folder=folder,
                        url=postgres.url,
                        superuser_url=superuser_url(folder / "data"),
                        port=port,
                        server_pid=process.pid,
                        db=db,
                    )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _set(folder: Path, settings: Mapping[str, str]) -> None:
    """In the configuration of the cluster, which is stopped again."""
    async with embedded_postgres(folder / "data", HolderKind.COMMAND):
        connection = await connect(superuser_url(folder / "data"))
        for name, value in settings.items():
            await connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        await connection.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server_process(
    folder: Path, url: str, port: int, connections: int, processes: int = 1
) -> "Iterator[subprocess.Popen[bytes]]":
    """`goldloop api` on loopback, its log in a file, with a pool as large as the load, or its part of it."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GOLDLOOP_")},
        "GOLDLOOP_DATABASE_URL": url,
        "GOLDLOOP_POOL_SIZE": str(-(-connections // processes)),
        "GOLDLOOP_LOG_FORMAT": "json",
    }
    argv = [sys.executable, "-m", "goldloop.cli.main", "api", "--port", str(port)]
    argv += ["--processes", str(processes)]
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(argv, env=environment, cwd=folder, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def wait_until_ready(process: "subprocess.Popen[bytes]", port: int, folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise RuntimeError(f"the server did not start:\n{(folder / 'server.log').read_text()}")
