"""Real `goldloop` processes for tests: started, spoken to, killed; and waiting for what they do."""

import asyncio
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg
import httpx

from goldloop.kit.db import WORKER_ROLE, Database, open_database
from goldloop.kit.embedded_postgres import status
from goldloop.kit.embedded_postgres.layout import find_layout
from goldloop.kit.embedded_postgres.model import DATABASE, OWNER
from goldloop.kit.embedded_postgres.status import connection_url
from goldloop.migrations.files import PACKAGE

GOLDLOOP = [sys.executable, "-m", "goldloop.cli.main"]


def goldloop_with(*changes: str) -> list[str]:
    """The command with some constants changed, so that a test can tell what happens by itself from what a clock does."""
    run = "import sys; from goldloop.cli.main import main; sys.exit(main())"
    return [sys.executable, "-c", "; ".join((*changes, run))]


START_SECONDS = 60.0  # generous: other tests may run on the same cores


async def end_connections(url: str, pids: Sequence[int] | None = None) -> None:
    """End these connections to the database, or all others, and wait until they have ended."""
    connection = await asyncpg.connect(url)
    await connection.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid = ANY(coalesce($1, ARRAY[pid]))",
        pids,
    )
    await connection.close()


async def eventually(holds: Callable[[], Awaitable[Any]], seconds: float = 40.0, every: float = 0.05) -> Any:
    """What `holds` answers as soon as that is true; fails with its last answer."""
    deadline = time.monotonic() + seconds
    while True:
        answer = await holds()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"not within {seconds} s; last: {answer!r}"
        await asyncio.sleep(every)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that the account of an embedded PostgreSQL can pass through, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="goldloop-test-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


BYTECODE = Path(__file__).resolve().parents[1] / ".cache" / "bytecode"


def environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """This one without any setting of Goldloop, so that a test starts from the defaults; but a server is one process, on
    however many cores, unless a test wants more. Programs keep what they compiled, wherever this is run: compiling all of it
    takes longer than the rest of a start."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GOLDLOOP_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    ours = {
        "PYTHONPATH": str(PACKAGE.parent),
        "PYTHONPYCACHEPREFIX": str(BYTECODE),
        "GOLDLOOP_PROCESSES": "1",
    }
    return {**kept, **ours, **(extra or {})}


class Program:
    """One process that says a line of JSON when it is ready; its log goes to a file."""

    def __init__(self, argv: list[str], folder: Path, extra: dict[str, str] | None = None) -> None:
        self.log = folder / f"log-{time.monotonic_ns()}.txt"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                argv,
                cwd=folder,
                env=environment(extra),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    async def line(self, seconds: float = START_SECONDS) -> dict[str, Any]:
        assert self.process.stdout is not None
        text = await asyncio.wait_for(asyncio.to_thread(self.process.stdout.readline), seconds)
        assert text, f"it ended with {self.process.wait()}:\n{self.log.read_text()[-3000:]}"
        return dict(json.loads(text))

    async def ended(self, seconds: float = 60.0) -> int:
        return await asyncio.wait_for(asyncio.to_thread(self.process.wait), seconds)

    def kill(self) -> None:
        """As a crash would: no chance to clean up."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()
        if self.process.stdout is not None:
            self.process.stdout.close()


@dataclass
class Server:
    """A running `goldloop serve` on a data folder of its own."""

    program: Program
    data_dir: Path
    port: int
    hello: dict[str, Any]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def database_url(self) -> str:
        return database_url(self.data_dir)

    def kill_postgres(self) -> int:
        pid = status(self.data_dir).pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        return pid

    def client(self, secret: str | None = None, **options: Any) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=60, **options)

    @asynccontextmanager
    async def database(self) -> AsyncIterator[Database]:
        async with open_database(self.database_url, role=WORKER_ROLE, size=4) as db:
            yield db


def database_url(data_dir: Path) -> str:
    return connection_url(find_layout(data_dir), OWNER, DATABASE)


async def start_server(
    folder: Path,
    port: int | None = None,
    *options: str,
    extra: dict[str, str] | None = None,
    command: Sequence[str] = GOLDLOOP,
) -> Server:
    """Returns when it answers; on a folder that was used before, with what is in there."""
    port = port or free_port()
    argv = [*command, "serve", "--json", "--port", str(port), "--data-dir", str(folder / "data"), *options]
    program = Program(argv, folder, extra)
    try:
        hello = await program.line()
        server = Server(program=program, data_dir=folder / "data", port=port, hello=hello)
        await eventually(lambda: _ready(server.url), START_SECONDS)
    except BaseException:
        program.close()
        raise
    return server


async def _ready(url: str) -> bool:
    async with httpx.AsyncClient() as client:
        try:
            return (await client.get(f"{url}/readyz", timeout=5)).status_code == 200
        except httpx.HTTPError:
            return False


@asynccontextmanager
async def running_server(
    *options: str, extra: dict[str, str] | None = None, command: Sequence[str] = GOLDLOOP
) -> AsyncIterator[Server]:
    with open_folder() as folder:
        server = await start_server(folder, None, *options, extra=extra, command=command)
        try:
            yield server
        finally:
            server.program.close()
            await eventually(lambda: _stopped(folder / "data"), 30)


async def _stopped(data_dir: Path) -> bool:
    return status(data_dir).pid is None


PGBOUNCER = shutil.which(
    "pgbouncer", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
)


@contextmanager
def pooled(url: str) -> Iterator[str]:
    """PgBouncer in transaction mode before a database on a unix socket."""
    assert PGBOUNCER is not None
    parts = urlsplit(url)
    where = parse_qs(parts.query)
    port = free_port()
    settings = f"""
[databases]
* = host={where["host"][0]} port={where["port"][0]} user={parts.username} password='{unquote(parts.password or "")}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
"""
    owner = Path(where["host"][0]).stat()  # the socket is open to this account alone
    with open_folder() as folder:
        file = folder / "pgbouncer.ini"
        file.touch(0o600)
        file.write_text(settings)
        argv = [PGBOUNCER, str(file)]
        if os.geteuid() == 0:
            os.chown(file, owner.st_uid, owner.st_gid)
            argv[1:1] = ["-u", pwd.getpwuid(owner.st_uid).pw_name]
        with (folder / "log.txt").open("wb") as log:
            process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            _wait_for_port(port, process, folder / "log.txt")
            yield f"postgresql://{parts.username}:any@127.0.0.1:{port}{parts.path}"
        finally:
            process.terminate()
            process.wait()


def _wait_for_port(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.02)


_FORKING = """
import json, os, signal, sys, traceback
from goldloop.cli import archives, audit, backups, erasures, feedback, jobs, keys, limits, listings, main, repairs, resets, schema, serve, tenants

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    asked = json.loads(line)
    if os.fork():
        continue
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(1, (json.dumps({"place": asked["place"], "code": code}) + "\\n").encode())
        os._exit(0)
    for number, name in enumerate(("in", "out", "err")):
        os.dup2(os.open(os.path.join(asked["place"], name), os.O_RDWR | os.O_CREAT, 0o600), number)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    try:
        code = main.main(asked["arguments"])
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
"""


class Commands:
    """Runs `goldloop` commands, each a process of its own, forked from one that has done the importing."""

    async def __aenter__(self) -> "Commands":
        self._folder = Path(tempfile.mkdtemp(prefix="goldloop-commands-"))
        self._waiting: dict[str, asyncio.Future[int]] = {}
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _FORKING),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()
        await self._reader
        shutil.rmtree(self._folder)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            answer = json.loads(line)
            self._waiting.pop(answer["place"]).set_result(answer["code"])

    async def run(
        self, *arguments: str, folder: Path, extra: dict[str, str] | None = None, text: str = ""
    ) -> tuple[int, str, str]:
        """A command to its end: exit code, standard output, standard error."""
        place = tempfile.mkdtemp(dir=self._folder)
        (Path(place) / "in").write_text(text)
        ended = self._waiting[place] = asyncio.get_running_loop().create_future()
        asked = {
            "place": place,
            "folder": str(folder),
            "arguments": arguments,
            "environment": environment(extra),
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        code = await asyncio.wait_for(ended, START_SECONDS)
        return code, (Path(place) / "out").read_text(), (Path(place) / "err").read_text()


@dataclass
class Heard:
    """What one stream was told so far."""

    events: list[tuple[str, Any]] = field(default_factory=list)
    ended: bool = False

    async def said(
        self, event: str, topic: str | None = None, *, after: int = 0, seconds: float = 40.0
    ) -> int:
        """Waits for an event (that names a topic) past the first `after`; returns how many there are by then."""

        async def found() -> int | None:
            for number, (name, data) in enumerate(self.events[after:], after + 1):
                if name == event and (topic is None or topic == data["topic"]):
                    return number
            return None

        return await eventually(found, seconds, every=0.02)

    def topics(self) -> set[str]:
        return {data["topic"] for name, data in self.events if name == "change"}

    def subjects(self, topic: str) -> list[list[str] | None]:
        """What each change under a topic named."""
        return [data["subjects"] for name, data in self.events if name == "change" and data["topic"] == topic]


@asynccontextmanager
async def listening(client: httpx.AsyncClient) -> AsyncIterator[Heard]:
    """What a client hears of `/api/events`, from its hello on. Closes the client."""
    heard = Heard()

    async def read() -> None:
        try:
            async with client, client.stream("GET", "/api/events", timeout=60) as stream:
                assert stream.headers["content-type"].startswith("text/event-stream")
                event = ""
                async for line in stream.aiter_lines():
                    if line.startswith("event: "):
                        event = line.removeprefix("event: ")
                    elif line.startswith("data: "):
                        heard.events.append((event, json.loads(line.removeprefix("data: "))))
        except httpx.HTTPError:
            pass
        finally:
            heard.ended = True

    task = asyncio.create_task(read())
    try:
        await heard.said("hello", seconds=40)
        yield heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
